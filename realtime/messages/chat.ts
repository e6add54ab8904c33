import { tameText } from '../../shared/kernel/tame-text.ts'
import { type MessageHandler, sendError, sendMuted } from './message.ts'
import { runCommand } from './run-command.ts'

const charactersMax = 512
const channelPattern = /^[a-z0-9-]{1,32}$/
const controlCharacter = /\p{Cc}/u
/** Looks like a command but is not one, for example with a full-width slash. As a chat line it could reveal a password. */
const nearlyCommand = /^[\p{Cf}\p{Zs}]*[/\u2044\u2215\uff0f]/u

/** A line for all players on all nodes, or a command if it begins with a slash. */
export const chat: MessageHandler<'chat'> = {
  cost: 3,
  handle: (game, session, { channel = 'global', text }) => {
    const line = tameText(text).trim()
    const length = [...line].length
    const mute = line.startsWith('/') ? undefined : game.sanctionsInForce.findMute(session.account.email)
    if (line.startsWith('/')) runCommand(game, session, { seq: 0, text: line })
    else if (mute !== undefined) sendMuted(session, mute)
    else if (nearlyCommand.test(line)) sendError(session, 'invalid-chat', 'To run a command, begin the line with a plain /.')
    else if (length === 0 || length > charactersMax || controlCharacter.test(line))
      sendError(session, 'invalid-chat', `A line must have 1 to ${charactersMax} characters and no control characters.`)
    else if (!channelPattern.test(channel))
      sendError(session, 'invalid-chat', 'A channel must have 1 to 32 characters of a-z, 0-9 and -.')
    else if (!game.broadcasts.say({ channel, from: session.account.displayName, text: line, by: session.account.playerId }))
      sendError(session, 'busy', 'The chat is too busy for this line. Send it again in a moment.')
  },
}
