import type { ReloadReport } from '../../shared/domain/configs/in-force/configs.ts'
import { reloadByActor } from '../../shared/domain/configs/in-force/reload-by-actor.ts'
import type { Fault } from '../../shared/kernel/errors.ts'
import type { Command, CommandReply } from './command.ts'

const describeFault = ({ line, column, pointer, message }: Fault): string =>
  [line === undefined ? undefined : `line ${line}${column === undefined ? '' : `, column ${column}`}:`, pointer, message]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const describeNames = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]

/** A reload as text and as data: what is in force now, what waits for a restart, and each fault. It is ok when nothing failed. */
export const replyToReload = (report: ReloadReport): CommandReply => {
  const { reloaded, restartNeeded, failed } = report
  const lines = [
    ...describeNames('Reloaded', reloaded),
    ...describeNames(
      'In force after a restart',
      restartNeeded.map((name) => (reloaded.includes(name) ? `the rest of ${name}` : name)),
    ),
    ...failed.map(({ name, errors }) => `Failed, the last good one stays: ${[name, ...errors.map(describeFault)].join('\n  ')}`),
  ]
  const text = lines.length === 0 ? 'Nothing to reload.' : lines.join('\n')
  const ok = failed.length === 0
  return { ok, text, data: ok ? report : { code: 'refused', ...report } }
}

/** `/reload`: reads every config file again, in every process. */
export const reload: Command = {
  name: 'reload',
  description: 'Reads all config files again.',
  forms: [[]],
  permission: 'command.reload',
  privileged: true,
  run: async (context, { actor }) => replyToReload(await reloadByActor(context, actor)),
}
