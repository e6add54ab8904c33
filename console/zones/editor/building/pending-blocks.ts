import type { Change } from './edit-history.ts'

/** Changed blocks that the server has not answered yet. Its answers come in the order of the messages. */
export type PendingBlocks = {
  sent(changes: readonly Change[]): void
  /** The accepted changes, from the server's previous blocks. Empty if the block was already the same. */
  made(changes: readonly Change[]): readonly Change[]
  /** The refused changes, each with the server's block as `before`. */
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
