import type { DeletedAccounts } from '../domain/accounts/deleted-accounts.ts'
import { type PruneAuditDeps, pruneAudit } from '../domain/audit/retention/prune-audit.ts'
import type { Configs } from '../domain/configs/current/configs.ts'
import type { ZoneSnapshots } from '../domain/zones/snapshots/zone-snapshots.ts'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'

const everyMsDefault = 600_000

/** Deletes data after its retention time: audit entries, deleted accounts, and snapshots of deleted zones. */
export type Retention = {
  /** Runs once, in slices, until `isOver`. Never rejects. */
  pass(isOver: () => boolean): Promise<void>
  /** Runs repeatedly, until the returned function is called. */
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
      if (entries > 0) log.info({ entries, ...limits() }, 'deleted audit entries that were too old or too many')
      await deletedAccounts.sweep(isOver)
      await snapshots.sweep(isOver)
    } catch (error) {
      if (!isOver())
        log.warn({ err: error }, 'old audit entries, deleted accounts and snapshots cannot be deleted; retrying later')
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
