import type { ChunkRecord, ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'

/** The world that `chunk-writer-script.ts` writes to. */
export const batchWorld: WorldRef = { name: 'batches', id: '9d3e8a53-5b32-4a3f-8a05-0d6a3e1c1c55' }

const columnsPerBatch = 20

/** Columns with cx `n` and different sizes; their bytes contain the number of their batch. */
export const batchOf = (n: number): ChunkRecord[] =>
  Array.from({ length: columnsPerBatch }, (_, cz) => {
    const bytes = new Uint8Array(100 + ((n * 31 + cz * 977) % 9000)).fill(cz)
    new DataView(bytes.buffer).setUint32(0, n)
    return { cx: n, cz: cz - columnsPerBatch / 2, bytes }
  })

/** The numbers of the batches in a store; throws unless each is complete and count, bitmap and records agree. */
export const readBatches = async (store: ChunkStore): Promise<Set<number>> => {
  const whole = new Set<number>()
  let columns = 0
  for await (const { cx, czs } of store.discovered(batchWorld)) {
    const expected = batchOf(cx)
    columns += czs.length
    if (czs.length !== expected.length) throw new Error(`batch ${cx} has ${czs.length} columns`)
    const found = await store.getMany(batchWorld, expected)
    for (const [at, { bytes }] of expected.entries())
      if (found[at] === undefined || Buffer.compare(found[at], bytes) !== 0) throw new Error(`batch ${cx} is damaged`)
    whole.add(cx)
  }
  const { chunkCount } = await store.stats(batchWorld)
  if (chunkCount !== columns) throw new Error(`${chunkCount} columns are counted, ${columns} are there`)
  return whole
}
