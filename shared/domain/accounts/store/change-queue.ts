import type { AuditEntry } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'
import type { AccountChange, AccountContext, AccountStore } from './account-store.ts'

/** A change that waits for its turn; decided once an attempt, accepted or rejected once. */
export type QueuedChange = {
  readonly email: string
  /** The email that the account may have afterwards; its own when absent. */
  readonly to?: string
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
  /** Alone in its commit: what else is decided in one goes by the emails as they were. */
  readonly move: AccountStore['move']
  /** Resolves once nothing waits or runs any more. */
  readonly drain: () => Promise<void>
}

/** More than this at once would hold the thread for too long. */
const batchMax = 250

/** Group commit: what is queued while `commit` runs goes into the next one together, 250 at the most. What `commit` throws rejects its whole batch. */
export const createChangeQueue = (commit: (batch: readonly QueuedChange[]) => Promise<void>): ChangeQueue => {
  const waiting: QueuedChange[] = []
  let running: Promise<void> | undefined

  const countBatch = (): number => {
    const move = waiting.findIndex(({ to }) => to !== undefined)
    return move === -1 ? batchMax : Math.min(batchMax, Math.max(1, move))
  }

  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, countBatch())
      try {
        await commit(batch)
      } catch (error) {
        for (const change of batch) change.reject(error)
      }
    }
    running = undefined
  }

  const queue = <R>(
    where: Pick<QueuedChange, 'email' | 'to'>,
    decide: (current: Account | undefined, context: AccountContext) => AccountChange<R>,
  ): Promise<R> =>
    new Promise((resolve, reject) => {
      waiting.push({
        ...where,
        decide: (current, context) => {
          const { next, audit, result, ownName = false } = decide(current, context)
          return { next, audit, ownName, accept: () => resolve(result) }
        },
        reject,
      })
      // A microtask later, so that changes asked for in one go share one commit.
      running ??= Promise.resolve().then(run)
    })

  return {
    change: (email, decide) => queue({ email }, decide),
    move: (email, to, decide) => queue({ email, to }, decide),
    drain: async () => {
      await running
    },
  }
}
