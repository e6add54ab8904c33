import { type BlockRefusal, findBlockRefusal, type SolidWorld } from '../../sdk/world.ts'

/** A body on its way: feet in blocks, upward speed in blocks a second. */
export type Body = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly vy: number
  readonly onGround: boolean
}

/** What the player wants in this moment. */
export type Intent = {
  /** -1 to 1, along the look and to its right. */
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
  /** Whether one swims there. */
  isFluid(x: number, y: number, z: number): boolean
}

type Position = Pick<Body, 'x' | 'y' | 'z'>

/** Blocks a second; the server allows 22 across and 80 up or down. */
const walkSpeed = 4.6
const runSpeed = 7
const swimSpeed = 3
const flySpeed = 10
const fastFlySpeed = 18
const flyRise = 8
const gravity = 27
const jumpSpeed = 8.6
const fallMax = 55
const sinkMax = 2.4
const swimRise = 3.6

/** The server lets nobody higher. */
const highest = 512

/** Halvings of a way that is blocked: to a hundredth of a block and better. */
const halvings = 8
/** The server lets feet sink so far into the ground. */
const settled = 0.04
/** Further down than that, so that who stands does not hover. */
const feeling = 0.03

const along = (at: Position, axis: 'x' | 'y' | 'z', by: number): Position => ({
  x: at.x,
  y: at.y,
  z: at.z,
  [axis]: at[axis] + by,
})

type Slide = { readonly to: Position; readonly refusal: BlockRefusal | undefined }

/** Goes as far along one axis as the server would allow. */
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

/** Across, and up onto a block that stands in the way. */
const walk = (world: StepWorld, at: Position, dx: number, dz: number, mayStep: boolean): Position => {
  const level = cross(world, at, dx, dz)
  if (!level.isBlocked || !mayStep) return level.to
  const raised = along(at, 'y', Math.floor(at.y + settled) + 1 - at.y)
  if (findBlockRefusal(world.solids, at, raised) !== undefined) return level.to
  const over = cross(world, raised, dx, dz)
  // The server looks at the whole step at once.
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
  // Without the sign that a zero may have.
  const y = Math.round(at.y) + 0
  const flat = { x: at.x, y, z: at.z }
  return Math.abs(y - at.y) <= settled && findBlockRefusal(world.solids, at, flat) === undefined ? flat : at
}

/** Up or down. Who stands on the ground feels it, although the server would let the feet sink into it a little. */
const rise = (world: StepWorld, at: Position, by: number, feelsGround: boolean): Slide => {
  if (!feelsGround || by > 0) return slide(world, at, 'y', by)
  const further = slide(world, at, 'y', Math.min(by, -feeling))
  return further.refusal === undefined ? { to: along(at, 'y', by), refusal: undefined } : further
}

/** Each part of a step was allowed by itself; of the whole step as much as the server takes at once. */
const takeAllowed = (world: StepWorld, from: Position, crossed: Position, to: Position): Position => {
  const ways = [to, crossed, { ...from, x: to.x, y: to.y }, { ...from, y: to.y }].map(({ x, y, z }) => ({ x, y, z }))
  return ways.find((way) => findBlockRefusal(world.solids, from, way) === undefined) ?? { x: from.x, y: from.y, z: from.z }
}

/**
 * One fixed step, such as the server would allow by its own checks. Where columns are missing the body stands still. Never leaves the
 * world by its floor.
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
  // The floor of the world carries who has dug through it.
  const isFloor = risen.to.y <= 0 && vy <= 0
  const isStopped = risen.refusal !== undefined || isFloor
  const onGround = (risen.refusal === 'blocked' && vy <= 0) || isFloor
  const at = onGround ? settle(world, risen.to) : risen.to
  return { ...takeAllowed(world, body, crossed, at), vy: isStopped ? 0 : vy, onGround }
}
