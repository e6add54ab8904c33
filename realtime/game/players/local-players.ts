import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { ReportedPlayer } from '../../../shared/domain/players/online-players.ts'
import { readDisabledCommands } from '../../../shared/domain/players/player-state.ts'
import type { LocalPlayers } from '../../node-links/local-players.ts'
import type { SessionConnection } from '../../sessions/session.ts'
import { closings, kickedBecause } from '../../socket/closing.ts'
import type { Game } from '../game.ts'
import { positionOf, teleport } from '../move-session.ts'
import { announceHere, hearWhisper } from '../talk.ts'

const pingOf = (connection: SessionConnection | undefined): Pick<ReportedPlayer, 'pingMs'> => {
  const pingMs = connection?.heartbeats?.pingMs
  return pingMs === undefined ? {} : { pingMs }
}

export const createLocalPlayers = (game: Game, noteChange: (playerId: string) => void): LocalPlayers => {
  const { sessions, access, store, log, enqueue, later, endSession } = game
  /** Runs it in the next tick, when sessions may change. */
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
    message: (playerId, { from, fromId, text }) =>
      inTick(() => {
        const connection = sessions.find(playerId)?.connection
        connection?.send({
          $case: 'notice',
          value: { severity: 'info', kind: 'message', text: `${from}: ${text}`, from, fromId },
        })
        return connection !== undefined
      }),
    whisper: (playerId, line) => inTick(() => hearWhisper(game, playerId, line)),
    announce: (announcement) => enqueue(() => announceHere(game, announcement)),
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
      // For a player who is being admitted.
      noteChange(playerId)
      if (sessions.find(playerId) === undefined) return true
      const reading = readDisabledCommands(store, playerId)
      later(
        reading,
        (disabled) => {
          const session = sessions.find(playerId)
          if (session !== undefined) access.applyDisabled(session, disabled)
        },
        (error) => log.warn({ err: error }, 'the switched-off commands of a player could not be read; they stay unchanged'),
      )
      return reading.then(
        () => true,
        () => false,
      )
    },
  }
}
