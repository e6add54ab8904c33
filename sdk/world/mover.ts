import type { ClosedGround, Correction, Position, ZoneChanged } from '../protocol/generated/gatehouse.ts'
import { findBlockRefusal } from './block-refusal.ts'
import {
  type BlockRefusal,
  chunkCoordinate,
  chunkKey,
  createMoveBudget,
  findMoveRefusal,
  type MoveRefusal,
  normaliseAngles,
  type Point,
  payForMove,
  refillMoveBudget,
  resetMoveBudget,
  type SolidWorld,
} from './rules.ts'

/** Columns that the server has closed to the player, as far as known. */
type KnownClosedGround = {
  note(ground: ClosedGround, nowMs: number): void
  /** A player inside a zone may walk in it. */
  stand(change: ZoneChanged): void
  isClosed(to: Point, nowMs: number): boolean
  clear(): void
}

/** Zones open again: after this the server decides again. */
const keptMs = 2_000
/** More than a player can run into within that time. */
const groundsMax = 64

const createKnownClosedGround = (): KnownClosedGround => {
  const grounds = new Map<number, ClosedGround & { readonly untilMs: number }>()
  let zoneId: string | undefined
  return {
    note: (ground, nowMs) => {
      if (grounds.size >= groundsMax) grounds.clear()
      grounds.set(chunkKey(ground.cx, ground.cz), { ...ground, untilMs: nowMs + keptMs })
    },
    stand: ({ entered, left }) => {
      if (entered !== undefined) zoneId = entered.id
      else if (left?.id === zoneId) zoneId = undefined
    },
    isClosed: (to, nowMs) => {
      if (grounds.size === 0) return false
      const ground = grounds.get(chunkKey(chunkCoordinate(to.x), chunkCoordinate(to.z)))
      if (ground === undefined || ground.untilMs <= nowMs || ground.zoneId === zoneId) return false
      const height = Math.floor(to.y)
      return height >= ground.yMin && height <= ground.yMax
    },
    clear: () => {
      grounds.clear()
      zoneId = undefined
    },
  }
}

/** The player's own place, ahead of the server: a move counts at once if the server would allow it. */
export type Mover = {
  position(): Position
  /**
   * Why the server would refuse this move now; undefined if it would not. Changes nothing. `zone-closed` is known for columns
   * that refused the player in the last two seconds.
   */
  refusalOf(to: Partial<Position>, nowMs: number): MoveRefusal | BlockRefusal | 'zone-closed' | undefined
  /** Records a move that was sent with this number. */
  moved(seq: number, to: Position, nowMs: number): void
  /** Applies a Correction: returns to the server's place, and repeats every later move that is still allowed. */
  correct(correction: Correction, nowMs: number): Position
  /** Applies a ZoneChanged: a player inside a zone may walk in it, closed or not. */
  stand(change: ZoneChanged): void
  /** Starts from Welcome: earlier moves no longer count. */
  begin(position: Position, nowMs: number): void
}

type Sent = { readonly seq: number; readonly to: Position }

/** Unanswered moves on a slow connection around the world, at twenty a second. */
const sentMax = 64

/** The checks are the server's own, on the blocks known here. With the same blocks the results are the same. */
export const createMover = (world: SolidWorld, from: Position, nowMs: number): Mover => {
  let position = from
  let sent: Sent[] = []
  let budget = createMoveBudget(nowMs)

  const closed = createKnownClosedGround()

  const findRefusal = (to: Position, atMs: number): ReturnType<Mover['refusalOf']> =>
    findMoveRefusal(budget, position, to) ??
    findBlockRefusal(world, position, to) ??
    (closed.isClosed(to, atMs) ? 'zone-closed' : undefined)
  const take = (to: Position): void => {
    payForMove(budget, position, to)
    position = normaliseAngles(to)
  }

  return {
    position: () => position,
    refusalOf: (to, atMs) => {
      refillMoveBudget(budget, atMs)
      return findRefusal({ ...position, ...to }, atMs)
    },
    moved: (seq, to, atMs) => {
      refillMoveBudget(budget, atMs)
      take(to)
      sent.push({ seq, to })
      if (sent.length > sentMax) sent.shift()
    },
    correct: ({ seq, position: place, reason, closed: ground }, atMs) => {
      if (ground !== undefined) closed.note(ground, atMs)
      position = place ?? position
      refillMoveBudget(budget, atMs)
      if (reason === 'teleport') {
        resetMoveBudget(budget)
        sent = []
        return position
      }
      const later = sent.filter((one) => (one.seq - seq) >>> 0 <= 0x7fffffff && one.seq !== seq)
      sent = []
      for (const one of later)
        if (findRefusal(one.to, atMs) === undefined) {
          position = normaliseAngles(one.to)
          sent.push(one)
        }
      return position
    },
    stand: closed.stand,
    begin: (place, atMs) => {
      closed.clear()
      position = place
      sent = []
      budget = createMoveBudget(atMs)
    },
  }
}
