import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import { readPages } from './find-changes.ts'

/** The end of a history in milliseconds: now, or the time of the last change if the clock that wrote it was ahead. */
export const findHistoryEnd = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  nowMs: number,
): Promise<number> => {
  for await (const { changes } of readPages(chunks, world, { filter: {} }))
    return Math.max(Math.floor(nowMs), changes.at(-1)?.at ?? 0)
  return Math.floor(nowMs)
}
