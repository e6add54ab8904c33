import { type BlockRefusal, findBlockRefusal, type SolidWorld, usualMovement } from '../../sdk/world.ts'

/** A moving body: feet in blocks, upward speed in blocks a second. */
export type Body = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly vy: number
  readonly onGround: boolean
}

/** The player's input. */
export type Intent = {
  /** -1 to 1, forward and to the right. */
  readonly forward: number
  readonly right: number
  readonly jump: boolean
  readonly down: boolean
  readonly run: boolean
  readonly fly: boolean
  readonly stepUp: boolean
  /** Degrees; 0 is along +x, 90 along +z. */
  readonly yaw: number
}

export type StepWorld = {
  readonly solids: SolidWorld
  /** Whether the position is in a fluid. */
  isFluid(x: number, y: number, z: number): boolean
}

type Position = Pick<Body, 'x' | 'y' | 'z'>

/** Blocks a second. The server allows 22 horizontally and 80 vertically. */
const { gravity, walkSpeed, runSpeed, flySpeed, jumpHeight } = usualMovement
const jumpSpeed = Math.sqrt(2 * gravity * jumpHeight)
const swimSpeed = 3
const fastFlySpeed = 18
const flyRise = 8
const fallMax = 55
const sinkMax = 2.4
const swimRise = 3.6

/** The server's height limit. */
const highest = 512

/** Bisection steps for a blocked move: finer than a hundredth of a block. */
const halvings = 8
/** The server allows feet to sink this far into the ground. */
const settled = 0.04
/** Slightly deeper, so that a standing player does not hover. */
const feeling = 0.03

const along = (at: Position, axis: 'x' | 'y' | 'z', by: number): Position => ({
  x: at.x,
  y: at.y,
  z: at.z,
  [axis]: at[axis] + by,
})

type Slide = { readonly to: Position; readonly refusal: BlockRefusal | undefined }

/** Moves along one axis as far as the server allows. */
const slide = (world: StepWorld, at: Position, axis: 'x' | 'y' | 'z', by: number): Slide => {
  if (by === 0) return { to: at, refusal: undefined }
  const refusal = findBlockRefusal(world.solids, at, along(at, axis, by))
  if (refusal === undefined) return { to: along(at, axis, by), refusal }
  if (refusal === 'not-loaded') return { to: at, refusal }
  let free = 0
  let part = 0.5
  for (let halving = 0; halving < halvings; halving += 1) {
    if (findBlockRefusal(world.solids, at, along(at, axis, by * (free + part))) === undefined) free += part
    part /= 2
  }
  return { to: along(at, axis, by * free), refusal }
}

const cross = (world: StepWorld, at: Position, dx: number, dz: number): { to: Position; isBlocked: boolean } => {
  const first = slide(world, at, 'x', dx)
  const second = slide(world, first.to, 'z', dz)
  return { to: second.to, isBlocked: first.refusal === 'blocked' || second.refusal === 'blocked' }
}

const progress = (from: Position, to: Position): number => Math.abs(to.x - from.x) + Math.abs(to.z - from.z)

/** Moves horizontally, and steps up onto a block in the way. */
const walk = (world: StepWorld, at: Position, dx: number, dz: number, mayStep: boolean): Position => {
  const level = cross(world, at, dx, dz)
  if (!level.isBlocked || !mayStep) return level.to
  const raised = along(at, 'y', Math.floor(at.y + settled) + 1 - at.y)
  if (findBlockRefusal(world.solids, at, raised) !== undefined) return level.to
  const over = cross(world, raised, dx, dz)
  // The server checks the whole step at once.
  const isAllowed = findBlockRefusal(world.solids, at, over.to) === undefined
  return isAllowed && progress(at, over.to) > progress(at, level.to) + 1e-6 ? over.to : level.to
}

const speedOf = ({ fly, run }: Intent, isSwimming: boolean): number => {
  if (fly) return run ? fastFlySpeed : flySpeed
  if (isSwimming) return swimSpeed
  return run ? runSpeed : walkSpeed
}

const riseOf = ({ vy, onGround }: Body, intent: Intent, isSwimming: boolean, seconds: number): number => {
  if (intent.fly) return (intent.jump ? flyRise : 0) - (intent.down ? flyRise : 0)
  if (isSwimming) {
    const wanted = intent.jump ? swimRise : -sinkMax
    return vy + (wanted - vy) * Math.min(1, seconds * 6)
  }
  return intent.jump && onGround ? jumpSpeed : Math.max(-fallMax, vy - gravity * seconds)
}

const settle = (world: StepWorld, at: Position): Position => {
  // Removes a negative zero.
  const y = Math.round(at.y) + 0
  const flat = { x: at.x, y, z: at.z }
  return Math.abs(y - at.y) <= settled && findBlockRefusal(world.solids, at, flat) === undefined ? flat : at
}

/** Moves vertically. A standing player stops at the ground, although the server would allow to sink into it a little. */
const rise = (world: StepWorld, at: Position, by: number, feelsGround: boolean): Slide => {
  if (!feelsGround || by > 0) return slide(world, at, 'y', by)
  const further = slide(world, at, 'y', Math.min(by, -feeling))
  return further.refusal === undefined ? { to: along(at, 'y', by), refusal: undefined } : further
}

/** Each part of the step is allowed by itself. Returns as much of the whole as the server accepts at once. */
const takeAllowed = (world: StepWorld, from: Position, crossed: Position, to: Position): Position => {
  const ways = [to, crossed, { ...from, x: to.x, y: to.y }, { ...from, y: to.y }].map(({ x, y, z }) => ({ x, y, z }))
  return ways.find((way) => findBlockRefusal(world.solids, from, way) === undefined) ?? { x: from.x, y: from.y, z: from.z }
}

/**
 * Moves a body by one fixed step within the server’s limits. The body stops if columns are missing, and never leaves the world through
 * its floor.
 */
export const stepBody = (world: StepWorld, body: Body, intent: Intent, seconds: number): Body => {
  const isSwimming = !intent.fly && world.isFluid(body.x, body.y + 0.4, body.z)
  const [turn, speed] = [(intent.yaw * Math.PI) / 180, speedOf(intent, isSwimming)]
  const length = Math.max(1, Math.hypot(intent.forward, intent.right))
  const ahead = (intent.forward / length) * speed * seconds
  const aside = (intent.right / length) * speed * seconds
  const dx = Math.cos(turn) * ahead - Math.sin(turn) * aside
  const dz = Math.sin(turn) * ahead + Math.cos(turn) * aside
  const mayStep = intent.stepUp && (body.onGround || isSwimming) && !intent.fly
  const crossed = walk(world, body, dx, dz, mayStep)
  const vy = riseOf(body, intent, isSwimming, seconds)
  const risen = rise(
    world,
    crossed,
    Math.min(highest - crossed.y, Math.max(vy * seconds, -crossed.y)),
    !intent.fly && !isSwimming,
  )
  // A player who dug through the ground stands on the floor of the world.
  const isFloor = risen.to.y <= 0 && vy <= 0
  const isStopped = risen.refusal !== undefined || isFloor
  const onGround = (risen.refusal === 'blocked' && vy <= 0) || isFloor
  const at = onGround ? settle(world, risen.to) : risen.to
  return { ...takeAllowed(world, body, crossed, at), vy: isStopped ? 0 : vy, onGround }
}
