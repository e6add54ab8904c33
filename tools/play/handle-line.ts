import { RefusedError } from '../../sdk/errors.ts'
import type { LocalContext } from './commands/local-command.ts'
import { describeLocalCommands, listLocalCommands, localCommands } from './commands/local-commands.ts'
import { toPrintable } from './terminal/printable.ts'

const runCommand = async ({ game, show }: LocalContext, text: string): Promise<void> => {
  try {
    const { ok, text: answer } = await game.session.command(text)
    show(`${ok ? '' : '! '}${toPrintable(answer)}`)
  } catch (error) {
    show(`! ${toPrintable(error instanceof Error ? error.message : String(error))}`)
  }
}

/** Why the server would not say a line is told as every other refusal of its. */
const say = async ({ game, show }: LocalContext, text: string): Promise<void> => {
  try {
    await game.session.chat(text)
  } catch (error) {
    if (!(error instanceof RefusedError)) show(`! ${toPrintable(error instanceof Error ? error.message : String(error))}`)
  }
}

/** After the server's help: what this client does itself, all of it or the one command that was asked for. */
const addOwnHelp = async (
  context: LocalContext,
  text: string,
  serverCommands: ReadonlySet<string>,
  [asked]: readonly string[],
) => {
  const own = listLocalCommands(context.game.world.blocks.placeable().length > 0).filter(({ name }) => !serverCommands.has(name))
  const name = asked?.toLowerCase().replace(/^\//, '')
  const found = own.find((command) => command.name === name)
  if (found !== undefined) return context.show(describeLocalCommands([found]))
  await runCommand(context, text)
  if (asked === undefined && own.length > 0) context.show(`Of this client:\n${describeLocalCommands(own)}`)
}

/** Acts on one line of the player: a command of the server, one of this client where the server lists none of that name, or chat. */
export const handleLine = async (context: LocalContext, serverCommands: ReadonlySet<string>, line: string): Promise<void> => {
  const text = line.trim()
  if (text === '') return
  if (!text.startsWith('/')) {
    return say(context, text)
  }
  const [first = '', ...args] = text.slice(1).split(/\s+/)
  const name = first.toLowerCase()
  if (name === 'help') return addOwnHelp(context, text, serverCommands, args)
  const local = serverCommands.has(name) ? undefined : localCommands.find((command) => command.name === name)
  await (local === undefined ? runCommand(context, text) : local.run(context, args))
}
