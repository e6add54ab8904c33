/** The input device. */
export type PointerKind = 'touch' | 'mouse'

/**
 * Reports whether touch or the mouse was used last: on the picture at once, elsewhere on click, before the clicked button gets it.
 * Otherwise a layout change could move the button away.
 */
export const watchLastPointer = (
  canvas: EventTarget,
  onPointer: (kind: PointerKind, isOnPicture: boolean) => void,
): (() => void) => {
  let last: PointerKind | undefined
  const down = ({ pointerType, target }: PointerEvent): void => {
    // A pen works like a mouse if there is one, and does not hide the touch buttons.
    if (pointerType !== 'touch' && pointerType !== 'mouse') return
    last = pointerType
    if (target === canvas) onPointer(last, true)
  }
  const click = (): void => {
    if (last !== undefined) onPointer(last, false)
  }
  addEventListener('pointerdown', down, true)
  addEventListener('click', click, true)
  return () => {
    removeEventListener('pointerdown', down, true)
    removeEventListener('click', click, true)
  }
}
