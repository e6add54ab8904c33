import type { CommandDeclaration } from '../../shared/domain/modules/module-spec.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext, CommandReply } from '../commands/command.ts'
import { readCoordinate } from '../commands/executor/bind-arguments.ts'
import { createRefusal } from '../commands/executor/decide-command.ts'
import { getNamedAccount } from '../commands/executor/find-player.ts'
import { describeFailure } from '../game/module-hooks.ts'
import type { GameModules } from './game-modules.ts'
import type { ModuleAnswer } from './module-messages.ts'
import type { RunningModule } from './running-module.ts'

type Values = Record<string, string | number | undefined>

/** A player becomes a playerId, a coordinate a number. Throws AppError for an unknown player. */
const resolveArguments = async (
  context: CommandContext,
  caller: CommandCaller,
  declaration: CommandDeclaration,
  given: ArgumentValues,
): Promise<Values> => {
  const kinds = new Map(declaration.forms.flat().map(({ name, kind }) => [name, kind]))
  const here = context.live?.listPlayers().find(({ playerId }) => playerId === caller.playerId)?.position
  const values: Values = {}
  let coordinates = 0
  for (const [name, value] of Object.entries(given)) {
    const kind = kinds.get(name)
    if (kind === 'player') values[name] = (await getNamedAccount(context, caller, String(value))).playerId
    else if (kind === 'coordinate') {
      const self = here === undefined ? 0 : [here.x, here.y, here.z][coordinates % 3]
      values[name] = readCoordinate(String(value), self ?? 0)
      coordinates += 1
    } else if (typeof value === 'string' || typeof value === 'number') values[name] = value
  }
  return values
}

const replyOf = (module: string, answer: ModuleAnswer): CommandReply => {
  if (answer.kind === 'refused') return createRefusal('refused', answer.reason, { module })
  if (answer.kind === 'failed')
    return createRefusal('failed', describeFailure(module, answer.id), {
      slug: 'module-failed',
      id: answer.id,
    })
  return { ok: true, text: typeof answer.value === 'string' ? answer.value : '' }
}

const isPermission = (permission: string): permission is Command['permission'] =>
  permission === 'none' || permission.includes('.')

const createCommand = (modules: GameModules, module: RunningModule, name: string, isFree: boolean): Command | undefined => {
  const found = module.spec.commands.get(name)
  if (found === undefined) return undefined
  const { declaration, run } = found
  const { description, forms, permission, privileged = false } = declaration
  // The schema of declarations allows no other text.
  if (!isPermission(permission)) return undefined
  const fullName = `${module.name}:${name}`
  return {
    name: isFree ? name : fullName,
    ...(isFree && { fullName }),
    module: module.name,
    description,
    forms,
    permission,
    privileged,
    run: async (context, caller, given) => {
      const args = await resolveArguments(context, caller, declaration, given)
      return new Promise((resolve) =>
        modules.ask(
          module,
          `commands.${name}`,
          (game) => run(modules.findPlayer(module, caller.playerId), args, game),
          (answer) => resolve(replyOf(module.name, answer)),
        ),
      )
    },
  }
}

/** The commands of modules: under the short name where it is free, otherwise as `NAME:command`. The full name always works. */
export const createModuleCommands = (modules: GameModules, own: readonly Command[]): readonly Command[] => {
  const taken = new Set(own.map(({ name }) => name))
  return modules.list().flatMap((module) =>
    Array.from(module.spec.commands.keys()).flatMap((name) => {
      const command = createCommand(modules, module, name, !taken.has(name))
      taken.add(name)
      return command ?? []
    }),
  )
}

/** Commands of modules whose short name another command has, in words by module. */
export const describeTakenNames = (commands: readonly Command[]): ReadonlyMap<string, readonly string[]> => {
  const taken = new Map<string, string[]>()
  for (const { name, module } of commands) {
    if (module === undefined || !name.startsWith(`${module}:`)) continue
    const short = name.slice(module.length + 1)
    const owner = commands.find((command) => command.name === short)?.module
    const text = `/${short} is ${owner === undefined ? 'a command of the server' : `a command of ${owner}`}; use /${name}.`
    taken.set(module, [...(taken.get(module) ?? []), text])
  }
  return taken
}
