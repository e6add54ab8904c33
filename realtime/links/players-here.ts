import { readDisabledCommands } from '../commands/executor/disabled-commands.ts'
import type { Game } from '../game/game.ts'
import { closings, kickedBecause } from '../socket/closing.ts'
import type { DisplacedHere } from './displacement.ts'

/** What other nodes may do to the players of this one; takes effect in the next tick. */
export type PlayersHere = DisplacedHere & {
  /** Whether the player had a session. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** The commands that are switched off for the player are read again; whether they could be, or the player is not here. */
  readCommands(playerId: string): Promise<boolean>
}

export const createPlayersHere = ({ sessions, access, store, log, enqueue, later, endSession }: Game): PlayersHere => ({
  findSession: (playerId) => {
    const session = sessions.find(playerId)
    return session && (session.connection === undefined ? 'waiting' : 'connected')
  },
  displace: (playerId) =>
    enqueue(() => {
      const session = sessions.find(playerId)
      if (session !== undefined) endSession(session, closings.displaced)
    }),
  kick: (playerId, reason) =>
    new Promise((resolve) =>
      enqueue(() => {
        const session = sessions.find(playerId)
        if (session !== undefined) endSession(session, kickedBecause(reason))
        resolve(session !== undefined)
      }),
    ),
  readCommands: async (playerId) => {
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
})
