import type { BlockPos } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { readPages } from './find-changes.ts'
import type { PlannedBlock } from './plan-rollback.ts'

/** The maximum number of blocks that a player undoes at once. */
export const ownUndoMax = 256
/** The maximum number of history pages that an undo reads. */
export const ownUndoPagesMax = 64

/** The result of an undo: the blocks restored, and the blocks that the player may no longer change. */
export type OwnUndone = { readonly blocks: number; readonly refused: number }

/** Selects the edits. Blocks that the player may no longer change are skipped, so that `/undo` reaches older edits. */
export type OwnUndoAsked = {
  readonly by: string
  readonly count: number
  readonly mayChange: (block: PlannedBlock) => boolean
}

/** The state of a block while its changes are read, newest first. */
type Seen = { isOthers: boolean; undone: number }

const keyOf = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

/**
 * The newest `count` edits that a player made by hand and has not undone, newest first. A block may occur more than once.
 * Leaves out blocks that another player or a job has changed since. `/undo` is in the history too, `via` command: each of its changes
 * cancels out one edit.
 */
export const planOwnUndo = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  { by, count, mayChange }: OwnUndoAsked,
): Promise<readonly PlannedBlock[]> => {
  const seen = new Map<string, Seen>()
  const planned: PlannedBlock[] = []
  const look = (change: BlockChange): void => {
    const state = seen.get(keyOf(change)) ?? { isOthers: false, undone: 0 }
    seen.set(keyOf(change), state)
    if (state.isOthers) return
    if (change.by !== by || change.via === 'rollback' || change.via === 'restore') state.isOthers = true
    else if (change.via === 'command') state.undone += 1
    else if (state.undone > 0) state.undone -= 1
    else {
      const { x, y, z, to, from } = change
      const block = { x, y, z, expected: to, restored: from }
      if (mayChange(block)) planned.push(block)
    }
  }
  let pages = 0
  for await (const { changes } of readPages(chunks, world, { filter: {} })) {
    for (const change of changes.toReversed()) {
      if (planned.length >= count) return planned
      look(change)
    }
    pages += 1
    if (pages >= ownUndoPagesMax) break
  }
  return planned
}
