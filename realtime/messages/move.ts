import {
  findMoveRefusal,
  isCurrentMove,
  isWalkBeyondEdge,
  normaliseAngles,
  noteEdge,
  payForMove,
  refillMoveBudget,
} from '../../shared/rules/movement/move-budget.ts'
import { findBlockRefusal } from '../../shared/rules/movement/move-through-blocks.ts'
import { chunkCoordinate } from '../../shared/rules/positions.ts'
import { sendCorrection } from '../game/corrections.ts'
import type { Game } from '../game/game.ts'
import { describeRefusal, reasonOf } from '../game/module-hooks.ts'
import { findClosedZone } from '../game/zone-rules.ts'
import type { ClosedGround } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { MessageHandler, MessageValues } from './message.ts'

/** The part of a zone that a client needs to stop at its edge. */
const describeGround = (
  { id, name, yMin, yMax }: GameZone,
  { x, z }: { readonly x: number; readonly z: number },
): ClosedGround => ({
  zoneId: id,
  zoneName: name,
  yMin,
  yMax,
  cx: chunkCoordinate(x),
  cz: chunkCoordinate(z),
})

const accept = ({ interest }: Game, { body, moves }: Session, to: MessageValues['move']): void => {
  payForMove(moves, body, to)
  interest.moveBody(body, normaliseAngles(to))
}

/** Modules decide about moves into another zone, and about every move if they need it. Returns false if there are none. */
const askModules = (game: Game, session: Session, to: MessageValues['move']): boolean => {
  const { modules, world, metrics } = game
  if (!modules.decides('move')) return false
  const { body, moves } = session
  const idAt = ({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }) =>
    world.zoneAt(Math.floor(x), Math.floor(y), Math.floor(z))?.id
  const allowed = (): void => {
    // The player may have been teleported since, or a block may be in the way now.
    const refusal = findMoveRefusal(moves, body, to) ?? findBlockRefusal(world, body, to)
    if (refusal === undefined) accept(game, session, to)
    else sendCorrection(session, refusal)
  }
  const { x, y, z, yaw, pitch } = to
  return modules.decideMove(session, { x, y, z, yaw, pitch }, idAt(body) !== idAt(to), allowed, (refusal) => {
    metrics.countRefusedMove('module-rules')
    sendCorrection(session, reasonOf(refusal), { refusedBy: describeRefusal(refusal) })
  })
}

/** Moves the player, or refuses with the current position. */
export const move: MessageHandler<'move'> = {
  cost: 1,
  handle: (game, session, value) => {
    const { body, moves } = session
    if (!isCurrentMove(moves, value.seq)) return
    refillMoveBudget(moves, game.nowMs())
    const refusal = findMoveRefusal(moves, body, value) ?? findBlockRefusal(game.world, body, value)
    const zone = refusal === undefined ? findClosedZone(game.world, session, value) : undefined
    if (refusal === undefined && zone === undefined) {
      if (!askModules(game, session, value)) accept(game, session, value)
      return
    }
    // The land is not generated yet. The client waits and does not get an answer to each move.
    if (refusal === 'not-loaded' || (refusal === 'too-fast' && isWalkBeyondEdge(moves, body, value))) {
      noteEdge(moves)
      game.interest.moveBody(body, normaliseAngles({ ...body, yaw: value.yaw, pitch: value.pitch }))
      game.edge.passOver(session)
      return
    }
    const reason = refusal ?? 'zone-closed'
    game.metrics.countRefusedMove(reason)
    sendCorrection(session, reason, { closed: zone && describeGround(zone, value) })
  },
}
