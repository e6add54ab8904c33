/** How one looks, clicks and holds where the browser gives the mouse to nobody: by one press at a time. */
export type Drag = {
  begin(event: PointerEvent): void
  move(event: PointerEvent): void
  end(): void
  /** The button that is down, in `MouseEvent.button`. */
  button(): number | undefined
  /** Whether the press has neither moved nor held the button down. */
  isClick(): boolean
}

const clickPixels = 4
const holdMs = 250

/** Calls back once a press has stayed where it is for so long that it holds its button down. */
export const createDrag = (onHold: (button: number) => void): Drag => {
  let pressed: { readonly button: number; readonly x: number; readonly y: number; isClick: boolean } | undefined
  let hold: ReturnType<typeof setTimeout> | undefined
  return {
    begin: ({ button, clientX: x, clientY: y }) => {
      const begun = { button, x, y, isClick: true }
      pressed = begun
      clearTimeout(hold)
      hold = setTimeout(() => {
        if (!begun.isClick) return
        begun.isClick = false
        onHold(button)
      }, holdMs)
    },
    move: ({ clientX, clientY }) => {
      if (pressed !== undefined && Math.hypot(clientX - pressed.x, clientY - pressed.y) > clickPixels) pressed.isClick = false
    },
    end: () => {
      clearTimeout(hold)
      pressed = undefined
    },
    button: () => pressed?.button,
    isClick: () => pressed?.isClick === true,
  }
}
