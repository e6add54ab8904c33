import { tameText } from '../../shared/kernel/tame-text.ts'
import type { Game } from '../game/game.ts'
import { textOf } from '../game/module-hooks.ts'
import type { Session } from '../sessions/session.ts'
import { type MessageHandler, sendError, sendMuted } from './message.ts'
import { runCommand } from './run-command.ts'

const charactersMax = 512
const channelPattern = /^[a-z0-9-]{1,32}$/
const controlCharacter = /\p{Cc}/u
/** Looks like a command but is not one, for example with a full-width slash. As a chat line it could reveal a password. */
const nearlyCommand = /^[\p{Cf}\p{Zs}]*[/\u2044\u2215\uff0f]/u

type Line = { readonly channel: string; readonly line: string }

const sayLine = (game: Game, session: Session, { channel, line }: Line): void => {
  const { displayName: from, playerId: by } = session.account
  if (!game.broadcasts.say({ channel, from, text: line, by })) {
    sendError(session, 'busy', 'The chat is too busy for this line. Send it again in a moment.')
    return
  }
  if (game.modules.handles('said')) game.modules.note('said', session, (player) => ({ player, channel, text: line }))
}

/** Modules may refuse the line or change its text. */
const decideLine = (game: Game, session: Session, { channel, line }: Line): void => {
  let text = line
  const event = (player: object): object => ({
    player,
    channel,
    get text() {
      return text
    },
    set text(changed: string) {
      text = [...tameText(String(changed)).trim()].slice(0, charactersMax).join('')
    },
  })
  game.modules.decide('chat', session, event, (refusal) => {
    if (refusal !== undefined) sendError(session, refusal.code, textOf(refusal))
    else if (text !== '' && !controlCharacter.test(text)) sayLine(game, session, { channel, line: text })
  })
}

/** A line for all players on all nodes, or a command if it begins with a slash. */
export const chat: MessageHandler<'chat'> = {
  cost: 3,
  handle: (game, session, { channel = 'global', text }) => {
    const line = tameText(text).trim()
    const length = [...line].length
    const mute = line.startsWith('/') ? undefined : game.activeSanctions.findMute(session.account.email)
    if (line.startsWith('/')) runCommand(game, session, { seq: 0, text: line })
    else if (mute !== undefined) sendMuted(session, mute)
    else if (nearlyCommand.test(line)) sendError(session, 'invalid-chat', 'To run a command, begin the line with a plain /.')
    else if (length === 0 || length > charactersMax || controlCharacter.test(line))
      sendError(session, 'invalid-chat', `A line must have 1 to ${charactersMax} characters and no control characters.`)
    else if (!channelPattern.test(channel))
      sendError(session, 'invalid-chat', 'A channel must have 1 to 32 characters of a-z, 0-9 and -.')
    else if (game.modules.decides('chat')) decideLine(game, session, { channel, line })
    else sayLine(game, session, { channel, line })
  },
}
