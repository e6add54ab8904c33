import type { ChunkBox, ChunkPos } from '../../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../store/chunk-store.ts'

/** A discovered column; `bytes` is undefined if the store has no record of it. */
export type FoundColumn = ChunkPos & { readonly bytes: Uint8Array | undefined }

const columnsPerRead = 64

type ColumnReading = {
  readonly chunks: Pick<ChunkStore, 'discovered' | 'getMany'>
  readonly world: WorldRef
  readonly box?: ChunkBox
  /** Stops the reading with an error when it is aborted. */
  readonly signal: AbortSignal
}

/** The discovered columns of a world by cx, then cz, in batches. Memory does not grow with the world. */
export async function* readColumns({ chunks, world, box, signal }: ColumnReading): AsyncGenerator<readonly FoundColumn[], void> {
  for await (const { cx, czs } of chunks.discovered(world, box)) {
    for (let from = 0; from < czs.length; from += columnsPerRead) {
      signal.throwIfAborted()
      const positions = Array.from(czs.subarray(from, from + columnsPerRead), (cz) => ({ cx, cz }))
      const records = await chunks.getMany(world, positions)
      yield positions.map((pos, at) => ({ ...pos, bytes: records[at] }))
    }
  }
}
