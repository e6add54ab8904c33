import { bodyBlocks } from './body-extent.ts'

/** A position and the direction of the view. */
type Placement = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number; readonly pitch: number }

/** The blocks per second that a player may move, and the burst after standing still. */
const horizontalSpeed = 22
const horizontalBurst = 11
const verticalSpeed = 80
const verticalBurst = 40

const horizontalLimit = 30_000_000
const heightMax = 512

export type MoveRefusal = 'too-fast' | 'out-of-bounds' | 'invalid'

/** The blocks that a player may still move, as of `atMs` on the monotonic clock. Flat, because every step uses it. */
export type MoveBudget = {
  horizontal: number
  vertical: number
  atMs: number
  lastSeq: number
  hasMoved: boolean
  /** When the player was last notified of the edge of the generated land; minus infinity before the first time. */
  edgeToldAtMs: number
  /** Whether the last step led into columns that are not loaded, since `edgeSinceMs`. */
  isAtEdge: boolean
  edgeSinceMs: number
}

export const createMoveBudget = (nowMs: number): MoveBudget => ({
  horizontal: horizontalBurst,
  vertical: verticalBurst,
  atMs: nowMs,
  lastSeq: 0,
  hasMoved: false,
  edgeToldAtMs: Number.NEGATIVE_INFINITY,
  isAtEdge: false,
  edgeSinceMs: 0,
})

/** The minimum time between two such notifications of one player. */
const edgeTellMs = 1000

/** Whether to notify the player now of the edge of the land. If so, further steps into it are ignored for a second. */
export const isEdgeToTell = (budget: MoveBudget, nowMs: number): boolean => {
  if (nowMs - budget.edgeToldAtMs < edgeTellMs) return false
  budget.edgeToldAtMs = nowMs
  return true
}

/** Fills the budget after a teleport. */
export const resetMoveBudget = (budget: MoveBudget): void => {
  budget.horizontal = horizontalBurst
  budget.vertical = verticalBurst
  budget.isAtEdge = false
}

/** Resets the sequence for a new connection, which starts at any number. */
export const restartMoveSeq = (budget: MoveBudget): void => {
  budget.lastSeq = 0
  budget.hasMoved = false
  budget.isAtEdge = false
}

/** Records `seq` and returns whether it is not older than the previous one. Serial numbers as in RFC 1982, so they may wrap. */
export const isCurrentMove = (budget: MoveBudget, seq: number): boolean => {
  const isOlder = budget.hasMoved && (seq - budget.lastSeq) >>> 0 > 0x7fffffff
  if (!isOlder) budget.lastSeq = seq
  budget.hasMoved = true
  return !isOlder
}

export const isInBounds = ({ x, y, z }: Placement): boolean =>
  Math.abs(x) <= horizontalLimit && Math.abs(z) <= horizontalLimit && y >= 0 && y <= heightMax

/** Yaw in 0…360, 360 excluded; pitch in -90…90. */
export const normaliseAngles = (to: Placement): Placement => ({
  x: to.x,
  y: to.y,
  z: to.z,
  yaw: ((to.yaw % 360) + 360) % 360,
  pitch: Math.min(90, Math.max(-90, to.pitch)),
})

/** Adds the allowance for the time since the last call. */
export const refillMoveBudget = (budget: MoveBudget, nowMs: number): void => {
  // A clock that was set back does not reduce the budget.
  const seconds = Math.max(0, nowMs - budget.atMs) / 1000
  budget.horizontal = Math.min(horizontalBurst, budget.horizontal + seconds * horizontalSpeed)
  budget.vertical = Math.min(verticalBurst, budget.vertical + seconds * verticalSpeed)
  budget.atMs = nowMs
}

const distanceAcross = (from: Placement, to: Placement): number => {
  const dx = to.x - from.x
  const dz = to.z - from.z
  return Math.sqrt(dx * dx + dz * dz)
}

/** Undefined if the move from `from` to `to` is valid and within the budget. */
export const findMoveRefusal = (budget: MoveBudget, from: Placement, to: Placement): MoveRefusal | undefined => {
  if (!Number.isFinite(to.x + to.y + to.z + to.yaw + to.pitch)) return 'invalid'
  if (!isInBounds(to)) return 'out-of-bounds'
  return distanceAcross(from, to) > budget.horizontal || Math.abs(to.y - from.y) > budget.vertical ? 'too-fast' : undefined
}

/** Records a step into columns that are not loaded. */
export const noteEdge = (budget: MoveBudget): void => {
  if (budget.isAtEdge) return
  budget.isAtEdge = true
  budget.edgeSinceMs = budget.atMs
}

/**
 * Whether a move that is too far may come from a client that walked on beyond the edge. It could have come this far since the first
 * step into columns that are not loaded. Such a client is notified of the edge, not of its speed.
 */
export const isWalkBeyondEdge = (budget: MoveBudget, from: Placement, to: Placement): boolean => {
  const seconds = (budget.atMs - budget.edgeSinceMs) / 1000
  return (
    budget.isAtEdge &&
    distanceAcross(from, to) <= horizontalBurst + seconds * horizontalSpeed &&
    Math.abs(to.y - from.y) <= verticalBurst + seconds * verticalSpeed
  )
}

/** Takes the distance of an accepted move from the budget. */
export const payForMove = (budget: MoveBudget, from: Placement, to: Placement): void => {
  budget.isAtEdge = false
  budget.horizontal -= distanceAcross(from, to)
  budget.vertical -= Math.abs(to.y - from.y)
}

/**
 * The body of a player and its usual movement, in blocks and seconds. Welcome has it, so that all clients move alike. The server limits
 * only the speed (move-budget.ts).
 */
export const usualMovement = {
  gravity: 27,
  walkSpeed: 4.6,
  runSpeed: 7,
  flySpeed: 10,
  jumpHeight: 1.37,
  bodyWidth: bodyBlocks.width,
  bodyHeight: bodyBlocks.height,
} as const
