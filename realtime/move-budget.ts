import type { Placement } from './interest/body.ts'
import { createTokenBucket } from './token-bucket.ts'

/** Blocks a second that a player may cover, and how many at once after standing still. */
const horizontalSpeed = 22
const horizontalBurst = 11
const verticalSpeed = 80
const verticalBurst = 40

const horizontalLimit = 30_000_000
const heightMax = 512

export type MoveRefusal = 'too-fast' | 'out-of-bounds' | 'invalid'

/** What the server allows one player to move. */
export type MoveBudget = {
  /** Undefined when the way from `from` to `to` is allowed, and then it is paid for. */
  findRefusal(from: Placement, to: Placement, nowMs: number): MoveRefusal | undefined
  /** After a teleport: the budget is full. */
  reset(nowMs: number): void
  /** Whether `seq` is not older than those before; serial numbers as in RFC 1982, so that they may wrap. */
  isCurrent(seq: number): boolean
  readonly lastSeq: () => number
}

export const isInBounds = ({ x, y, z }: Placement): boolean =>
  Math.abs(x) <= horizontalLimit && Math.abs(z) <= horizontalLimit && y >= 0 && y <= heightMax

const isFinitePlacement = ({ x, y, z, yaw, pitch }: Placement): boolean => Number.isFinite(x + y + z + yaw + pitch)

/** Yaw in 0…360, 360 excluded; pitch in -90…90. */
export const normaliseAngles = (to: Placement): Placement => ({
  x: to.x,
  y: to.y,
  z: to.z,
  yaw: ((to.yaw % 360) + 360) % 360,
  pitch: Math.min(90, Math.max(-90, to.pitch)),
})

export const createMoveBudget = (startMs: number): MoveBudget => {
  const horizontal = createTokenBucket(horizontalSpeed, horizontalBurst, startMs)
  const vertical = createTokenBucket(verticalSpeed, verticalBurst, startMs)
  let last = 0
  let hasMoved = false
  return {
    findRefusal: (from, to, nowMs) => {
      if (!isFinitePlacement(to)) return 'invalid'
      if (!isInBounds(to)) return 'out-of-bounds'
      const isSlowEnough =
        vertical.take(Math.abs(to.y - from.y), nowMs) && horizontal.take(Math.hypot(to.x - from.x, to.z - from.z), nowMs)
      return isSlowEnough ? undefined : 'too-fast'
    },
    reset: (nowMs) => {
      horizontal.refill(nowMs)
      vertical.refill(nowMs)
    },
    isCurrent: (seq) => {
      const isOlder = hasMoved && (seq - last) >>> 0 > 0x7fffffff
      if (!isOlder) last = seq
      hasMoved = true
      return !isOlder
    },
    lastSeq: () => last,
  }
}
