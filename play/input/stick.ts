/** Where the thumb began and is, in pixels of the page. */
export type Stick = { readonly fromX: number; readonly fromY: number; readonly x: number; readonly y: number }

/** From the middle of the ring that is drawn to its edge. */
const ringPixels = 56
/** In rings: a thumb at the edge still walks. */
const runsFrom = 1.25

/** Where a stick leads: ahead and to the right, 1 at most together; beyond its ring one runs. */
export const readStick = ({ fromX, fromY, x, y }: Stick) => {
  const [across, up] = [(x - fromX) / ringPixels, (fromY - y) / ringPixels]
  const far = Math.hypot(across, up)
  const part = Math.max(1, far)
  return { forward: up / part, right: across / part, run: far > runsFrom }
}

/** How far the knob is drawn from the middle of its ring. */
export const placeKnob = (stick: Stick) => {
  const { forward, right } = readStick(stick)
  return { x: right * ringPixels, y: -forward * ringPixels }
}
