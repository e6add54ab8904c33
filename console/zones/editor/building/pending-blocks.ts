import type { Change } from './edit-history.ts'

/** Blocks that were changed and of which the server has not said yet whether it did that; its answers come in the order of what was sent. */
export type PendingBlocks = {
  sent(changes: readonly Change[]): void
  /** The changes that were made, from what the server had there: none where it was that already. */
  made(changes: readonly Change[]): readonly Change[]
  /** The changes that were not, each with what the server has there as its `before`. */
  refused(changes: readonly Change[]): readonly Change[]
}

const keyOf = ({ x, y, z }: Change): string => `${x} ${y} ${z}`

export const createPendingBlocks = (): PendingBlocks => {
  const pending = new Map<string, { of: string; unanswered: number }>()
  const settle = (change: Change, isMade: boolean): Change => {
    const known = pending.get(keyOf(change))
    if (known === undefined) return change
    const { of } = known
    if (isMade) known.of = change.after
    known.unanswered -= 1
    if (known.unanswered === 0) pending.delete(keyOf(change))
    return { ...change, before: of }
  }
  return {
    sent: (changes) => {
      for (const change of changes) {
        const known = pending.get(keyOf(change)) ?? { of: change.before, unanswered: 0 }
        known.unanswered += 1
        pending.set(keyOf(change), known)
      }
    },
    made: (changes) => changes.map((change) => settle(change, true)).filter(({ before, after }) => before !== after),
    refused: (changes) => changes.map((change) => settle(change, false)),
  }
}
