import { AppError } from '../../shared/kernel/errors.ts'
import type { ChangeBlocks } from '../world/edits/change-blocks.ts'
import type { Edit } from '../world/edits/edit-journal.ts'

/** The number of blocks in one slice. Each running column has one slice in progress. */
export const blocksPerSlice = 1024

const refused = (reason: string): AppError =>
  new AppError('unavailable', 'service-unavailable', `Blocks could not be changed (${reason}).`)

/**
 * Changes a slice within a tick. `decide` selects the changes then. Resolves to the number of changed blocks when they are durable.
 */
export const changeSlice = async (
  loop: { readonly changeBlocks: ChangeBlocks },
  signal: AbortSignal,
  decide: () => Omit<Edit, 'settled'>,
): Promise<number> => {
  for (;;) {
    signal.throwIfAborted()
    let changed = 0
    const refusal = await loop.changeBlocks(() => {
      const edit = decide()
      changed = edit.changes.length
      return edit
    })
    if (refusal === undefined) return changed
    // The journal is full. The next tick may have room.
    if (refusal !== 'busy') throw refused(refusal)
  }
}
