import type { AuditEntry } from '../audit/audit-log.ts'
import type { Account } from './account.ts'
import type { AccountContext, AccountStore } from './account-store.ts'

/** A change that waits for its turn; decided once an attempt, accepted or rejected once. */
export type QueuedChange = {
  readonly email: string
  readonly decide: (
    current: Account | undefined,
    context: AccountContext,
  ) => { readonly next: Account | undefined; readonly audit: AuditEntry | undefined; readonly accept: () => void }
  readonly reject: (error: unknown) => void
}

export type ChangeQueue = {
  readonly change: AccountStore['change']
  /** Resolves once nothing waits or runs any more. */
  readonly drain: () => Promise<void>
}

/** Group commit: what is queued while `commit` runs goes into the next one together. What `commit` throws rejects its whole batch. */
export const createChangeQueue = (commit: (batch: readonly QueuedChange[]) => Promise<void>): ChangeQueue => {
  let waiting: QueuedChange[] = []
  let running: Promise<void> | undefined

  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
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
            const { next, audit, result } = decide(current, context)
            return { next, audit, accept: () => resolve(result) }
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
