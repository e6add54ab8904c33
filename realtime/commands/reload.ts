import type { CheckedReload } from '../../shared/domain/configs/current/check-reloaded.ts'
import { reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Fault } from '../../shared/kernel/errors.ts'
import type { Command, CommandReply } from './command.ts'

const describeFault = ({ line, column, pointer, message }: Fault): string =>
  [line === undefined ? undefined : `line ${line}${column === undefined ? '' : `, column ${column}`}:`, pointer, message]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const describeNames = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]

/** The result of a reload as text and data. It is ok without faults in files and in settings of modules. */
export const replyToReload = (report: CheckedReload): CommandReply => {
  const { reloaded, restartNeeded, failed, modules, warnings } = report
  const lines = [
    ...describeNames('Reloaded', reloaded),
    ...describeNames(
      'Applied after a restart',
      restartNeeded.map((name) => (reloaded.includes(name) ? `the rest of ${name}` : name)),
    ),
    ...failed.map(
      ({ name, errors }) => `Failed, the last valid version stays active: ${[name, ...errors.map(describeFault)].join('\n  ')}`,
    ),
    ...modules.map(({ module, keepsSettings, errors }) => {
      const outcome = keepsSettings ? 'keeps its settings' : 'does not run'
      return [`Bad settings in modules.yaml: the module ${module} ${outcome}.`, ...errors.map(describeFault)].join('\n  ')
    }),
    ...warnings,
  ]
  const text = lines.length === 0 ? 'Nothing to reload.' : lines.join('\n')
  const ok = failed.length + modules.length === 0
  return { ok, text, data: ok ? report : { code: 'refused', ...report } }
}

/** `/reload`: reads all config files again in all processes. */
export const reload: Command = {
  ...knownCommand('reload'),
  description: 'Reads all config files again.',
  forms: [[]],
  run: async (context, { actor }) => replyToReload(await context.checkReloaded(await reloadByActor(context, actor))),
}
