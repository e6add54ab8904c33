import type { Game } from '../game/game.ts'
import { textOf } from '../game/module-hooks.ts'
import type { Session } from '../sessions/session.ts'
import { type MessageHandler, sendError, sendMuted } from './message.ts'

/** The maximum number of running commands of one session. */
const inFlightMax = 4

/** Removes functions and other values that JSON cannot represent. */
const toJson = (data: unknown): unknown => (data === undefined ? undefined : JSON.parse(JSON.stringify(data)))

/** The name of a command line, without the slash. */
const nameOfCommand = (text: string): string => /^\s*\/(\S+)/u.exec(text)?.[1]?.toLowerCase() ?? ''

const execute = (game: Game, session: Session, { seq, text }: { readonly seq: number; readonly text: string }): void => {
  if (session.commandsInFlight >= inFlightMax) {
    sendError(session, 'busy', `You can run at most ${inFlightMax} commands at a time. Wait for their results.`, seq)
    return
  }
  session.commandsInFlight += 1
  const { takeovers } = session
  const isAskers = (): boolean => session.takeovers === takeovers
  const answer = (ok: boolean, reply: string, data?: unknown): void => {
    session.commandsInFlight -= 1
    if (isAskers()) session.connection?.send({ $case: 'commandResult', value: { seq, ok, text: reply, data } })
  }
  game.later(
    game.executor.execute(game.access.callerOf(session), text),
    (reply) => {
      if (reply.muted !== undefined && isAskers()) sendMuted(session, reply.muted, seq)
      answer(reply.ok, reply.text, toJson(reply.data))
    },
    (error) => {
      game.log.error({ cause: error instanceof Error ? error.message : 'unknown' }, 'command executor failed')
      answer(false, 'The command failed. Try again.')
    },
  )
}

/** Runs a command for a session. The answer comes in a later tick. */
export const runCommand = (
  game: Game,
  session: Session,
  { seq, text }: { readonly seq: number; readonly text: string },
): void => {
  if (game.modules.decides('command')) {
    const name = nameOfCommand(text)
    const event = (player: object): object => ({ player, name, text })
    game.modules.decide('command', session, event, (refusal) => {
      if (refusal === undefined) execute(game, session, { seq, text })
      else {
        const value = { seq, ok: false, text: textOf(refusal), data: { code: refusal.code, module: refusal.module } }
        session.connection?.send({ $case: 'commandResult', value })
      }
    })
    return
  }
  execute(game, session, { seq, text })
}

export const commandCost = 4

/** A command line. Its result has the same `seq`. */
export const command: MessageHandler<'command'> = { cost: commandCost, handle: runCommand }
