import { isLimitedSignIn } from '../../shared/domain/permissions/limited-sign-in.ts'
import type { ReportedPlayer } from '../../shared/domain/players/online-players.ts'
import type { PlayerOrder, PlayerOutcome } from '../../shared/domain/players/player-orders.ts'
import { readDisabledCommands } from '../../shared/domain/players/player-state.ts'
import type { Game } from '../game/game.ts'
import { positionOf, teleport } from '../game/move-session.ts'
import { announceHere, hearWhisper } from '../game/talk.ts'
import type { SessionConnection } from '../sessions/session.ts'
import { closings, kickedBecause } from '../socket/closing.ts'
import type { DisplacedHere } from './displacement.ts'
import type { Whisper, Whispered } from './players-elsewhere.ts'

/** What other nodes may do to the players of this one; takes effect in the next tick. */
export type PlayersHere = DisplacedHere & {
  /** Whether the player had a session. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** Whether the player is connected and was told. */
  message(playerId: string, from: string, text: string): Promise<boolean>
  /** They are shown the line unless they ignore who writes. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** Shows everybody a notice. */
  announce(text: string): void
  /** Exactly there; undefined for a player who has no session here. */
  teleport(playerId: string, to: Extract<PlayerOrder, { kind: 'teleport' }>['to']): Promise<PlayerOutcome | undefined>
  /** Who is connected at this moment, and where. */
  listConnected(): readonly ReportedPlayer[]
  /** The commands that are switched off for the player are read again; whether they could be, or the player is not here. */
  readCommands(playerId: string): Promise<boolean>
}

const pingOf = (connection: SessionConnection | undefined): Pick<ReportedPlayer, 'pingMs'> => {
  const pingMs = connection?.heartbeats?.pingMs
  return pingMs === undefined ? {} : { pingMs }
}

export const createPlayersHere = (game: Game, noteChange: (playerId: string) => void): PlayersHere => {
  const { sessions, access, store, log, enqueue, later, endSession } = game
  /** In the next tick, when sessions may change. */
  const inTick = <T>(act: () => T): Promise<T> => new Promise((resolve) => enqueue(() => resolve(act())))
  return {
    findSession: (playerId) => {
      const session = sessions.find(playerId)
      return session && (session.connection === undefined ? 'waiting' : 'connected')
    },
    displace: (playerId, isByUnverified) =>
      enqueue(() => {
        const session = sessions.find(playerId)
        if (session === undefined || (session.verified && isByUnverified)) return
        endSession(session, session.verified || isByUnverified ? closings.displaced : closings.inUse)
      }),
    kick: (playerId, reason) =>
      inTick(() => {
        const session = sessions.find(playerId)
        if (session !== undefined) endSession(session, kickedBecause(reason))
        return session !== undefined
      }),
    message: (playerId, from, text) =>
      inTick(() => {
        const connection = sessions.find(playerId)?.connection
        connection?.send({ $case: 'notice', value: { severity: 'info', kind: 'message', text: `${from}: ${text}` } })
        return connection !== undefined
      }),
    whisper: (playerId, line) => inTick(() => hearWhisper(game, playerId, line)),
    announce: (text) => enqueue(() => announceHere(game, text)),
    teleport: (playerId, to) =>
      inTick(() => {
        const session = sessions.find(playerId)
        if (session === undefined) return undefined
        const target = 'playerId' in to ? sessions.find(to.playerId)?.body : to
        if (target === undefined) return 'no-target'
        const { x, y, z } = target
        teleport(game, session, { ...positionOf(session), x, y, z })
        return 'done'
      }),
    listConnected: () =>
      Array.from(sessions.all())
        .filter(({ connection }) => connection !== undefined)
        .map((session) => ({
          playerId: session.account.playerId,
          email: session.account.email,
          displayName: session.account.displayName,
          world: game.world.record.name,
          position: positionOf(session),
          since: new Date(session.connectedAt).toISOString(),
          ...(isLimitedSignIn(session.account, session.verified) && { limited: true as const }),
          ...pingOf(session.connection),
        })),
    readCommands: async (playerId) => {
      // For who is still coming in.
      noteChange(playerId)
      if (sessions.find(playerId) === undefined) return true
      const reading = readDisabledCommands(store, playerId)
      later(
        reading,
        (disabled) => {
          const session = sessions.find(playerId)
          if (session !== undefined) access.applyDisabled(session, disabled)
        },
        (error) => log.warn({ err: error }, 'which commands are off for a player cannot be read; it stays as it was'),
      )
      return reading.then(
        () => true,
        () => false,
      )
    },
  }
}
