/** Looking, clicking and holding without a pointer lock, with a single press. */
export type Drag = {
  begin(event: PointerEvent): void
  move(event: PointerEvent): void
  end(): void
  /** The pressed button, as `MouseEvent.button`. */
  button(): number | undefined
  /** Whether the press has not moved and has not become a hold. */
  isClick(): boolean
}

const clickPixels = 4
const holdMs = 250

/** Calls back when a press has stayed in place long enough to count as a hold. */
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
