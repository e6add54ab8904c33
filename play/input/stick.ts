/** The start and current position of the thumb, in page pixels. */
export type Stick = { readonly fromX: number; readonly fromY: number; readonly x: number; readonly y: number }

/** The radius of the drawn ring. */
const ringPixels = 56
/** In ring radii: a thumb at the edge still walks. */
const runsFrom = 1.25

/** The direction of the stick, forward and to the right, with a length of at most 1. Outside the ring the player runs. */
export const readStick = ({ fromX, fromY, x, y }: Stick) => {
  const [across, up] = [(x - fromX) / ringPixels, (fromY - y) / ringPixels]
  const far = Math.hypot(across, up)
  const part = Math.max(1, far)
  return { forward: up / part, right: across / part, run: far > runsFrom }
}

/** The offset of the drawn knob from the centre. */
export const placeKnob = (stick: Stick) => {
  const { forward, right } = readStick(stick)
  return { x: right * ringPixels, y: -forward * ringPixels }
}
