import type { Edit, EditJournal } from './edit-journal.ts'

/** Receives each changed block, see `EditJournal`. */
export type WatchBlocks = EditJournal['watchReplaced']

/**
 * Changes blocks in the next tick. `decide` selects the changes then. Resolves when they are durable, or with the reason why
 * nothing was changed.
 */
export type ChangeBlocks = (decide: () => Omit<Edit, 'settled'>) => Promise<string | undefined>

export const createChangeBlocks =
  (journal: Pick<EditJournal, 'apply'>, pushTask: (task: () => void) => void): ChangeBlocks =>
  (decide) =>
    new Promise((settled) => {
      pushTask(() => journal.apply({ ...decide(), settled }))
    })
