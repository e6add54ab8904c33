import type { BlockPos } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { readPages } from './find-changes.ts'
import type { PlannedBlock } from './plan-rollback.ts'

/** Blocks that somebody takes back at once. */
export const ownUndoMax = 256
/** Pages of the history that are read for it at most. */
export const ownUndoPagesMax = 64

/** What came of taking edits back: blocks that are as they were, and those that the player may not change any more. */
export type OwnUndone = { readonly blocks: number; readonly refused: number }

/** Whose edits and how many. What they may not change any more is passed over, so that `/undo` gets to what lies further back. */
export type OwnUndoAsked = {
  readonly by: string
  readonly count: number
  readonly mayChange: (block: PlannedBlock) => boolean
}

/** What is known of a block while its changes are looked at, newest first. */
type Seen = { isOthers: boolean; undone: number }

const keyOf = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

/**
 * The newest `count` changes that somebody made by hand and has not taken back, newest first; a block may be there again. Those are left
 * out that somebody else, or a job, has changed since. What `/undo` did is history too, `via` command: each of its changes stands for one
 * that it took back.
 */
export const planOwnUndo = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  { by, count, mayChange }: OwnUndoAsked,
): Promise<readonly PlannedBlock[]> => {
  const seen = new Map<string, Seen>()
  const planned: PlannedBlock[] = []
  const look = (change: BlockChange): void => {
    const known = seen.get(keyOf(change)) ?? { isOthers: false, undone: 0 }
    seen.set(keyOf(change), known)
    if (known.isOthers) return
    if (change.by !== by || change.via === 'rollback' || change.via === 'restore') known.isOthers = true
    else if (change.via === 'command') known.undone += 1
    else if (known.undone > 0) known.undone -= 1
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
