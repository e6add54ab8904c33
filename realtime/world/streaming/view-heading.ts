import { directionOf } from './view-order.ts'

type Pose = { readonly x: number; readonly z: number; readonly yaw: number }

/** Where a player was last, and which of sixteen directions they went from there. */
export type Heading = {
  fromX: number
  fromZ: number
  /** The direction of the last step, and its tick; minus infinity: none was made. */
  stepDirection: number
  stepTick: number
}

/** What is shorter says little of where somebody goes. In blocks. */
const stepBlocks = 1
/** Who is further away than this did not walk there. */
const leapBlocks = 32
/** Who made no step for so long stands: a second. */
const restTicks = 20

/** Of somebody who stands. */
export const createHeading = ({ x, z }: Pose): Heading => ({
  fromX: x,
  fromZ: z,
  stepDirection: 0,
  stepTick: Number.NEGATIVE_INFINITY,
})

/** The direction in which a player goes; who stands looks there. To be asked twice a second or more often. */
export const headingOf = (heading: Heading, { x, z, yaw }: Pose, tick: number): number => {
  const dx = x - heading.fromX
  const dz = z - heading.fromZ
  const blocks = Math.sqrt(dx * dx + dz * dz)
  if (blocks >= stepBlocks) {
    heading.fromX = x
    heading.fromZ = z
    heading.stepTick = blocks < leapBlocks ? tick : Number.NEGATIVE_INFINITY
    heading.stepDirection = directionOf((Math.atan2(dz, dx) * 180) / Math.PI)
  }
  return tick - heading.stepTick < restTicks ? heading.stepDirection : directionOf(yaw)
}
