import { AppError } from '../../shared/kernel/errors.ts'
import type { ChangeBlocks } from '../world/edits/change-blocks.ts'
import type { Edit } from '../world/edits/edit-journal.ts'

/** Blocks of one slice; each column that is worked at has one on its way. */
export const blocksPerSlice = 1024

const refused = (reason: string): AppError =>
  new AppError('unavailable', 'service-unavailable', `Blocks could not be changed (${reason}).`)

/** Changes a slice within a tick, as `decide` wants by then; durable when it resolves, with how many blocks that were. */
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
    // Too much waits to be stored: the next tick may have room.
    if (refusal !== 'busy') throw refused(refusal)
  }
}
