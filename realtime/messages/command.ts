import type { MessageHandler } from './message.ts'
import { runCommand } from './run-command.ts'

/** A command line; its result bears the same `seq`. */
export const command: MessageHandler<'command'> = { cost: 4, handle: runCommand }
