import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Actor } from '../../accounts/actor.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import type { ConfigName, Configs, ReloadReport } from './configs.ts'

export type ReloadByActorDeps = {
  readonly configs: Pick<Configs, 'reload'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

const summarise = ({ reloaded, restartNeeded, failed }: ReloadReport) => ({
  reloaded,
  restartNeeded,
  failed: failed.map(({ name }) => name),
})

/**
 * Reloads these configs, or all, and audits the result. Audits even if nothing changed here, because a process that started earlier may
 * have had an older file. Throws AppError `unavailable` if the other processes could not be notified.
 */
export const reloadByActor = async (
  deps: ReloadByActorDeps,
  actor: Actor,
  names?: readonly ConfigName[],
): Promise<ReloadReport> => {
  let report: ReloadReport | undefined
  try {
    report = await deps.configs.reload(names)
    return report
  } finally {
    const after = report === undefined ? { unannounced: true } : summarise(report)
    const target = names === undefined ? 'all' : names.join(', ')
    await deps.audit.append([createAuditEntry(deps, actor, { action: 'config.reload', target, before: null, after })])
  }
}
