/** Where somebody is and looks. */
type Placement = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number; readonly pitch: number }

/** Blocks a second that a player may cover, and how many at once after standing still. */
const horizontalSpeed = 22
const horizontalBurst = 11
const verticalSpeed = 80
const verticalBurst = 40

const horizontalLimit = 30_000_000
const heightMax = 512

export type MoveRefusal = 'too-fast' | 'out-of-bounds' | 'invalid'

/** What one player may still move, in blocks, as of `atMs` on the clock that never goes back. Flat: it is touched by every step. */
export type MoveBudget = {
  horizontal: number
  vertical: number
  atMs: number
  lastSeq: number
  hasMoved: boolean
  /** When the player was last told that the land ends where they are; minus infinity before the first time. */
  edgeToldAtMs: number
  /** No step was made since one led to where no land is yet, at `edgeSinceMs`. */
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

/** Who walks on against the edge of the land is told where they are no more often. */
const edgeTellMs = 1000

/** Whether somebody whose step leads to where no land is yet is to be told now; their next steps are passed over for a second. */
export const isEdgeToTell = (budget: MoveBudget, nowMs: number): boolean => {
  if (nowMs - budget.edgeToldAtMs < edgeTellMs) return false
  budget.edgeToldAtMs = nowMs
  return true
}

/** After a teleport: the budget is full. */
export const resetMoveBudget = (budget: MoveBudget): void => {
  budget.horizontal = horizontalBurst
  budget.vertical = verticalBurst
  budget.isAtEdge = false
}

/** A new connection counts its moves from wherever it likes, and begins where the player is. */
export const restartMoveSeq = (budget: MoveBudget): void => {
  budget.lastSeq = 0
  budget.hasMoved = false
  budget.isAtEdge = false
}

/** Notes `seq` and says whether it is not older than those before; serial numbers as in RFC 1982, so that they may wrap. */
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

/** Adds what the time since the last call allows. */
export const refillMoveBudget = (budget: MoveBudget, nowMs: number): void => {
  // A clock that was set back takes nothing away.
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

/** Undefined when the way from `from` to `to` is a sound one that the budget covers. */
export const findMoveRefusal = (budget: MoveBudget, from: Placement, to: Placement): MoveRefusal | undefined => {
  if (!Number.isFinite(to.x + to.y + to.z + to.yaw + to.pitch)) return 'invalid'
  if (!isInBounds(to)) return 'out-of-bounds'
  return distanceAcross(from, to) > budget.horizontal || Math.abs(to.y - from.y) > budget.vertical ? 'too-fast' : undefined
}

/** A step led to where no land is yet. */
export const noteEdge = (budget: MoveBudget): void => {
  if (budget.isAtEdge) return
  budget.isAtEdge = true
  budget.edgeSinceMs = budget.atMs
}

/**
 * Whether a step that is too far at once leads no further than one may have come since the first that led to where no land is yet. Its
 * client walks on from there, and is to be told of the edge, not of its speed.
 */
export const isWalkBeyondEdge = (budget: MoveBudget, from: Placement, to: Placement): boolean => {
  const seconds = (budget.atMs - budget.edgeSinceMs) / 1000
  return (
    budget.isAtEdge &&
    distanceAcross(from, to) <= horizontalBurst + seconds * horizontalSpeed &&
    Math.abs(to.y - from.y) <= verticalBurst + seconds * verticalSpeed
  )
}

/** Takes a way that was not refused from the budget. */
export const payForMove = (budget: MoveBudget, from: Placement, to: Placement): void => {
  budget.isAtEdge = false
  budget.horizontal -= distanceAcross(from, to)
  budget.vertical -= Math.abs(to.y - from.y)
}
