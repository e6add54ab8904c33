import type { AuditEntry } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'
import type { AccountChange, AccountContext, AccountStore } from './account-store.ts'

/** A change in the queue. It is decided once per attempt, and accepted or rejected once. */
export type QueuedChange = {
  readonly email: string
  /** An email that the account may get; default its own. */
  readonly to?: string
  readonly decide: (
    current: Account | undefined,
    context: AccountContext,
  ) => {
    readonly next: Account | undefined
    readonly audit: AuditEntry | undefined
    readonly ownName: boolean
    readonly needs: string | undefined
    readonly accept: () => void
  }
  readonly reject: (error: unknown) => void
}

export type ChangeQueue = {
  readonly change: AccountStore['change']
  /** Runs alone in its commit, because other decisions use the previous emails. */
  readonly move: AccountStore['move']
  /** Resolves when nothing waits or runs. */
  readonly drain: () => Promise<void>
}

/** A larger batch would block the thread for too long. */
const batchMax = 250

/** Group commit: changes queued while `commit` runs go into the next one together, at most 250. An error of `commit` rejects its whole batch. */
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
          const { next, audit, result, ownName = false, needs } = decide(current, context)
          return { next, audit, ownName, needs, accept: () => resolve(result) }
        },
        reject,
      })
      // Wait a microtask, so that changes queued in one go share a commit.
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
