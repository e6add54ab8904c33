import type { Correction, Position, ZoneChanged } from '../protocol/generated/gatehouse.ts'
import { findBlockRefusal } from './block-refusal.ts'
import { createKnownClosedGround } from './closed-ground.ts'
import {
  type BlockRefusal,
  createMoveBudget,
  findMoveRefusal,
  type MoveRefusal,
  normaliseAngles,
  payForMove,
  refillMoveBudget,
  resetMoveBudget,
  type SolidWorld,
} from './rules.ts'

/** The player's own place, ahead of the server: moves count at once where the server would allow them. */
export type Mover = {
  position(): Position
  /**
   * Why the server would refuse to let the player go there now; undefined where it would not. Changes nothing. `zone-closed` is known of
   * columns that refused the player in the last two seconds.
   */
  refusalOf(to: Partial<Position>, nowMs: number): MoveRefusal | BlockRefusal | 'zone-closed' | undefined
  /** Takes a move that was sent under that number. */
  moved(seq: number, to: Position, nowMs: number): void
  /** Takes a Correction: back to where the server has the player, and from there again every later move that is still allowed. */
  correct(correction: Correction, nowMs: number): Position
  /** Takes a ZoneChanged: who is in a zone may walk about in it, closed or not. */
  stand(change: ZoneChanged): void
  /** From Welcome: whatever was sent before is void. */
  begin(position: Position, nowMs: number): void
}

type Sent = { readonly seq: number; readonly to: Position }

/** Moves that a server on the other side of the world may not have answered yet, at twenty a second. */
const sentMax = 64

/** The checks are the server's own, on the blocks that are here: where these are the same, so are the answers. */
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
