import type { AuditEntry } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'
import type { AccountContext, AccountStore } from './account-store.ts'

/** A change that waits for its turn; decided once an attempt, accepted or rejected once. */
export type QueuedChange = {
  readonly email: string
  readonly decide: (
    current: Account | undefined,
    context: AccountContext,
  ) => {
    readonly next: Account | undefined
    readonly audit: AuditEntry | undefined
    readonly ownName: boolean
    readonly accept: () => void
  }
  readonly reject: (error: unknown) => void
}

export type ChangeQueue = {
  readonly change: AccountStore['change']
  /** Resolves once nothing waits or runs any more. */
  readonly drain: () => Promise<void>
}

/** More than this at once would hold the thread for too long. */
const batchMax = 250

/** Group commit: what is queued while `commit` runs goes into the next one together, 250 at the most. What `commit` throws rejects its whole batch. */
export const createChangeQueue = (commit: (batch: readonly QueuedChange[]) => Promise<void>): ChangeQueue => {
  const waiting: QueuedChange[] = []
  let running: Promise<void> | undefined

  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      try {
        await commit(batch)
      } catch (error) {
        for (const change of batch) change.reject(error)
      }
    }
    running = undefined
  }

  return {
    change: (email, decide) =>
      new Promise((resolve, reject) => {
        waiting.push({
          email,
          decide: (current, context) => {
            const { next, audit, result, ownName = false } = decide(current, context)
            return { next, audit, ownName, accept: () => resolve(result) }
          },
          reject,
        })
        // A microtask later, so that changes asked for in one go share one commit.
        running ??= Promise.resolve().then(run)
      }),
    drain: async () => {
      await running
    },
  }
}
