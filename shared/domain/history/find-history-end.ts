import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import { readPages } from './find-changes.ts'

/** Up to when a history tells of changes, in milliseconds: until now, or longer where it was written by a clock that was ahead. */
export const findHistoryEnd = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  nowMs: number,
): Promise<number> => {
  for await (const { changes } of readPages(chunks, world, { filter: {} }))
    return Math.max(Math.floor(nowMs), changes.at(-1)?.at ?? 0)
  return Math.floor(nowMs)
}
