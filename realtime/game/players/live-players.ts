import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { LivePlayer, LivePlayers } from '../../commands/command.ts'
import type { Session } from '../../sessions/session.ts'
import { kickedBecause } from '../../socket/closing.ts'
import type { Game } from '../game.ts'
import { positionOf, teleport } from '../move-session.ts'
import { announceHere, hearWhisper } from '../talk.ts'
import { mayUndo, undoOwn } from '../undo-own.ts'

/** The number of `/say` lines that may wait for a tick with room. */
const saysWaitingMax = 256

/** The players of the game, as commands see them. `noteChange` concerns players who are being admitted. */
export const createLivePlayers = (getGame: () => Game, noteChange: (playerId: string) => void): LivePlayers => {
  const withSession = (playerId: string, act: (game: Game, session: Session) => void): void => {
    const game = getGame()
    game.enqueue(() => {
      const session = game.sessions.find(playerId)
      if (session !== undefined) act(game, session)
    })
  }
  let saysWaiting = 0
  return {
    listPlayers: () =>
      [...getGame().sessions.all()]
        .map(
          (session): LivePlayer => ({
            playerId: session.account.playerId,
            email: session.account.email,
            displayName: session.account.displayName,
            groups: session.groups,
            position: positionOf(session),
            ...(isLimitedSignIn(session.account, session.verified) && { isLimited: true as const }),
            ...(session.connection === undefined && { isLost: true }),
          }),
        )
        .sort((a, b) => a.displayName.localeCompare(b.displayName)),
    kick: (playerId, reason) => withSession(playerId, (game, session) => game.endSession(session, kickedBecause(reason))),
    teleport: (playerId, to) => withSession(playerId, (game, session) => teleport(game, session, to)),
    say: (from, text, by) => {
      if (saysWaiting >= saysWaitingMax) return false
      const game = getGame()
      saysWaiting += 1
      const speak = (): void => {
        if (game.broadcasts.say({ channel: 'global', from, text, by })) saysWaiting -= 1
        else game.enqueue(speak)
      }
      game.enqueue(speak)
      return true
    },
    whisper: (playerId, line) => {
      const game = getGame()
      return new Promise((resolve) => game.enqueue(() => resolve(hearWhisper(game, playerId, line))))
    },
    lastWhisper: (playerId) => getGame().sessions.find(playerId)?.lastWhisper,
    noteWhisper: (playerId, { playerId: other, displayName }) =>
      withSession(playerId, (_game, session) => {
        session.lastWhisper = { playerId: other, displayName }
      }),
    announce: (text) => {
      const game = getGame()
      game.enqueue(() => announceHere(game, { text }))
    },
    setIgnored: (playerId, ignored) => {
      noteChange(playerId)
      withSession(playerId, (_game, session) => {
        session.ignored = ignored
      })
    },
    mayUndo: (playerId, block) => mayUndo(getGame(), playerId, block),
    undoOwn: (playerId, plan) => undoOwn(getGame(), playerId, plan),
    lastChat: () => getGame().broadcasts.lastLines(),
    setDisabledCommands: (playerId, names) => {
      noteChange(playerId)
      withSession(playerId, (game, session) => game.access.applyDisabled(session, names))
    },
  }
}
