import type { TargetedTouchEvent } from 'preact'

/**
 * Events of a button over the picture: a click of the mouse or a key, or the release of a finger that is still on it. A second finger
 * causes no click while the first is on the stick. Phones show the keyboard only on release.
 */
export const press = (act: () => void) => ({
  onClick: () => act(),
  onTouchEnd: (event: TargetedTouchEvent<HTMLElement>): void => {
    // Prevents the click that follows a touch. It would press twice, or press a new button at the same place.
    event.preventDefault()
    const finger = event.changedTouches[0]
    const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect()
    if (finger === undefined) return
    const { clientX: x, clientY: y } = finger
    if (x >= left && x <= right && y >= top && y <= bottom) act()
  },
})
