import { isLimitedSignIn } from '../../shared/domain/permissions/limited-sign-in.ts'
import { replaceDisabledBySelf } from '../../shared/domain/players/disabled-commands.ts'
import { type MessageHandler, sendError } from './message.ts'

/** Stores the commands that the player switches off. A limited sign-in cannot change the stored state. */
export const preferences: MessageHandler<'preferences'> = {
  cost: 4,
  handle: (game, session, { disabledCommands }) => {
    if (disabledCommands === undefined) return
    if (isLimitedSignIn(session.account, session.verified)) {
      sendError(session, 'password-sign-in-needed', 'Sign in with your password to switch commands on or off.')
      return
    }
    const names = disabledCommands.names.map((name) => name.toLowerCase().replace(/^\//, ''))
    const unknown = names.find((name) => !game.commands.some((command) => command.name === name))
    if (unknown !== undefined) {
      sendError(session, 'unknown-command', `There is no command "${[...unknown].slice(0, 64).join('')}".`)
      return
    }
    game.later(
      replaceDisabledBySelf(game, session.account.playerId, names),
      (disabled) => game.access.applyDisabled(session, disabled),
      () => sendError(session, 'service-unavailable', 'Preferences cannot be stored at the moment. Send them again.'),
    )
  },
}
