import type { DeletedAccounts } from '../domain/accounts/deleted-accounts.ts'
import { type PruneAuditDeps, pruneAudit } from '../domain/audit/retention/prune-audit.ts'
import type { Configs } from '../domain/configs/in-force/configs.ts'
import type { ZoneSnapshots } from '../domain/zones/snapshots/zone-snapshots.ts'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'

const everyMsDefault = 600_000

/** Has what is kept for a time only go after it: audit entries, deleted accounts, and snapshots of deleted zones. */
export type Retention = {
  /** Once, in slices, until `isOver`; never rejects. */
  pass(isOver: () => boolean): Promise<void>
  /** Again and again, until the returned function is called. */
  keepUp(everyMs?: number): () => void
}

export type RetentionDeps = Omit<PruneAuditDeps, 'limits' | 'isOver'> & {
  readonly deletedAccounts: Pick<DeletedAccounts, 'sweep'>
  readonly snapshots: Pick<ZoneSnapshots, 'sweep'>
  readonly configs: Pick<Configs, 'get'>
  readonly log: Log
}

export const createRetention = ({ deletedAccounts, snapshots, configs, log, ...deps }: RetentionDeps): Retention => {
  const limits = () => configs.get('server.yaml').audit
  const pass: Retention['pass'] = async (isOver) => {
    try {
      const entries = await pruneAudit({ ...deps, limits, isOver })
      if (entries > 0) log.info({ entries, ...limits() }, 'audit entries were too old, or too many, and are gone')
      await deletedAccounts.sweep(isOver)
      await snapshots.sweep(isOver)
    } catch (error) {
      if (!isOver())
        log.warn({ err: error }, 'old audit entries, deleted accounts and snapshots are kept for longer than they should be')
    }
  }
  return {
    pass,
    keepUp: (everyMs = everyMsDefault) => {
      let isOver = false
      const stop = repeat(() => pass(() => isOver), everyMs)
      return () => {
        isOver = true
        stop()
      }
    },
  }
}
