import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Command } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getText } from './executor/read-arguments.ts'
import { replyToReload } from './reload.ts'

/** Aliases of config files. */
const aliases: Readonly<Record<string, string>> = { rbac: 'groups.yaml' }

/** `/config:reload`: reads one config file again in all processes. `rbac` is an alias of the groups. */
export const configReload: Command = {
  ...knownCommand('config:reload'),
  description: 'Reads one config file again. rbac is an alias of groups.yaml.',
  forms: [[{ name: 'config', kind: 'word' }]],
  run: async (context, { actor }, args) => {
    const written = getText(args, 'config').toLowerCase()
    const configName = Object.hasOwn(aliases, written) ? aliases[written] : written
    const name = configNames.find((candidate) => candidate === configName || candidate === `${configName}.yaml`)
    if (name === undefined)
      return createRefusal('refused', `There is no such config. The configs are: ${['rbac', ...configNames].join(', ')}.`)
    return replyToReload(await context.checkReloaded(await reloadByActor(context, actor, [name])))
  },
}
