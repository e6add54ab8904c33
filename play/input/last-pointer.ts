/** What one plays with. */
export type PointerKind = 'touch' | 'mouse'

/**
 * Tells whether a finger or the mouse was pressed last. At once on the picture; elsewhere with the click, before the button that was
 * clicked hears of it: what the page then shows or hides would move the button from under the finger.
 */
export const watchLastPointer = (
  canvas: EventTarget,
  onPointer: (kind: PointerKind, isOnPicture: boolean) => void,
): (() => void) => {
  let last: PointerKind | undefined
  const down = ({ pointerType, target }: PointerEvent): void => {
    // A pen looks and builds as a mouse does, where there is one, and is no reason to hide what fingers press.
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
