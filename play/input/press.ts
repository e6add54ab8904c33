import type { TargetedTouchEvent } from 'preact'

/**
 * What a button over the picture listens to: a click of the mouse or a key, and the lift of a finger that is still on it. Browsers make
 * no click of a second finger, while the first is on the stick. The lift, not the touch: only then a phone shows its keyboard.
 */
export const press = (act: () => void) => ({
  onClick: () => act(),
  onTouchEnd: (event: TargetedTouchEvent<HTMLElement>): void => {
    // No click follows, which would press once more, or press what is there by then.
    event.preventDefault()
    const finger = event.changedTouches[0]
    const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect()
    if (finger === undefined) return
    const { clientX: x, clientY: y } = finger
    if (x >= left && x <= right && y >= top && y <= bottom) act()
  },
})
