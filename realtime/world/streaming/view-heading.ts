import { directionOf } from './view-order.ts'

type Pose = { readonly x: number; readonly z: number; readonly yaw: number }

/** The last position of a player, and the direction of the last step, of sixteen. */
export type Heading = {
  fromX: number
  fromZ: number
  /** The direction of the last step and its tick. Minus infinity: no step yet. */
  stepDirection: number
  stepTick: number
}

/** A shorter step says little about the direction. In blocks. */
const stepBlocks = 1
/** A longer step is a teleport. */
const leapBlocks = 32
/** A player without a step for this long is standing: one second. */
const restTicks = 20

/** The heading of a player who stands. */
export const createHeading = ({ x, z }: Pose): Heading => ({
  fromX: x,
  fromZ: z,
  stepDirection: 0,
  stepTick: Number.NEGATIVE_INFINITY,
})

/** The direction in which a player moves, or looks while standing. Call it at least twice a second. */
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
