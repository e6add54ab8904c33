import type { Edit, EditJournal } from './edit-journal.ts'

/** Hears of each block that changes, as `EditJournal` tells it. */
export type WatchBlocks = EditJournal['watchReplaced']

/** Changes blocks in the next tick, as `decide` wants by then; resolves when they are durable, or with the reason why nothing was changed. */
export type ChangeBlocks = (decide: () => Omit<Edit, 'settled'>) => Promise<string | undefined>

export const createChangeBlocks =
  (journal: Pick<EditJournal, 'apply'>, pushTask: (task: () => void) => void): ChangeBlocks =>
  (decide) =>
    new Promise((settled) => {
      pushTask(() => journal.apply({ ...decide(), settled }))
    })
