import { describe, expect, it } from '@jest/globals'
import type { LoadedColumn } from '../../../../realtime/world/columns/loaded-world.ts'
import { type ChunkWriterDeps, createChunkWriter } from '../../../../realtime/world/writing/chunk-writer.ts'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { decodeChunk } from '../../../../shared/domain/worlds/chunks/decode-chunk.ts'
import type { ChunkRecord } from '../../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { letOthersWork } from '../../../../shared/kernel/turns.ts'
import { createChunk, getBlock, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { createColumnsInMemory, createTestRegistry, testWorld } from '../../../support/worlds/columns-in-memory.ts'
import { createFaultyChunkStore, storageFull } from '../../../support/worlds/faulty-chunk-store.ts'

const registry = createTestRegistry()
const full = expect.objectContaining({ slug: 'storage-full' })

const setUp = (more: Partial<ChunkWriterDeps> = {}) => {
  const chunks = createFaultyChunkStore(createMemoryChunkStore())
  const columns = createColumnsInMemory()
  const writer = createChunkWriter({ chunks, world: testWorld, fence: 1, registry, log: silentLog, ...more })
  const mark = (column: LoadedColumn, index: number) => setBlock(column.chunk, { x: 0, y: 9, z: 0 }, index)
  const readMark = async ({ cx, cz }: { cx: number; cz: number }) => {
    const bytes = await chunks.get(testWorld, { cx, cz })
    const decoded = bytes && decodeChunk(bytes, { cx, cz }, registry)
    return decoded?.ok === true ? getBlock(decoded.chunk, 0, 9, 0) : undefined
  }
  const attempted = () => chunks.attempts.map((records) => records.map(({ cx }) => cx))
  return { chunks, columns, writer, mark, readMark, attempted }
}

const recordOf = (cx: number, index: number): ChunkRecord => {
  const chunk = createChunk(cx, 0)
  setBlock(chunk, { x: 0, y: 9, z: 0 }, index)
  return { cx, cz: 0, bytes: encodeChunk(chunk, registry) }
}

describe('changed columns', () => {
  it('are durable when their promise resolves, with their state at the start of the transaction', async () => {
    const { columns, writer, mark, readMark } = setUp()
    const column = columns.add(3, -4)
    mark(column, 2)
    const done = writer.writeColumns([column])
    expect(column.writesPending).toBe(1)
    mark(column, 3)
    await done
    expect(await readMark(column)).toBe(3)
    expect(column.writesPending).toBe(0)
  })

  it('during a transaction go into the next one together, each once, and every promise resolves', async () => {
    const { chunks, columns, writer, mark, readMark, attempted } = setUp()
    const [a, b] = [columns.add(1, 0), columns.add(2, 0)]
    const release = chunks.hold()
    const first = writer.writeColumns([a])
    await waitFor(() => chunks.attempts.length === 1)
    mark(a, 2)
    const later = [writer.writeColumns([a]), writer.writeColumns([b, a])]
    mark(b, 3)
    later.push(writer.writeColumns([b]))
    expect([a.writesPending, b.writesPending]).toEqual([2, 1])
    release()
    await Promise.all([first, ...later])
    expect(attempted()).toEqual([[1], [1, 2]])
    expect([await readMark(a), await readMark(b)]).toEqual([2, 3])
    expect([a.writesPending, b.writesPending]).toEqual([0, 0])
  })

  it('fail with the reason of the store, those behind them too; later ones are tried again', async () => {
    const { chunks, columns, writer, attempted } = setUp()
    const [a, b] = [columns.add(1, 0), columns.add(2, 0)]
    chunks.refuse(storageFull)
    const release = chunks.hold()
    const first = writer.writeColumns([a])
    await waitFor(() => chunks.attempts.length === 1)
    const behind = writer.writeColumns([b])
    release()
    await expect(first).rejects.toEqual(full)
    await expect(behind).rejects.toEqual(full)
    expect([a.writesPending, b.writesPending]).toEqual([0, 0])
    chunks.accept()
    await writer.writeColumns([b])
    expect(attempted()).toEqual([[1], [2]])
  })

  it('are not written once the lease is lost', async () => {
    const { chunks, columns, writer } = setUp({ lease: { isHeld: () => false, isLost: () => true } })
    await expect(writer.writeColumns([columns.add(1, 0)])).rejects.toMatchObject({ slug: 'lease-lost' })
    await expect(writer.writeRecords([recordOf(5, 2)])).rejects.toMatchObject({ slug: 'lease-lost' })
    expect(chunks.attempts).toEqual([])
  })

  it('fail as an outage, unwritten, while the lease is in doubt', async () => {
    const { chunks, columns, writer } = setUp({ lease: { isHeld: () => false, isLost: () => false } })
    await expect(writer.writeColumns([columns.add(1, 0)])).rejects.toMatchObject({ slug: 'service-unavailable' })
    expect(chunks.attempts).toEqual([])
  })

  it('are written with the current fence', async () => {
    let fence = 7
    const { chunks, columns, writer } = setUp({ fence: () => fence })
    await writer.writeColumns([columns.add(1, 0)])
    fence = 6
    await expect(writer.writeColumns([columns.add(1, 0)])).rejects.toMatchObject({ slug: 'lease-lost' })
    expect(chunks.attempts).toHaveLength(2)
  })

  it('fill a transaction up to its limit in order, and later changes stay out of a full one', async () => {
    const { chunks, columns, writer, mark, attempted } = setUp({ limits: { batchMax: 2 } })
    const [a, b, c] = [columns.add(1, 0), columns.add(2, 0), columns.add(3, 0)]
    const edit = (changed: LoadedColumn[], index: number) => {
      writer.prepareChange(changed)
      for (const column of changed) mark(column, index)
      return writer.writeColumns(changed)
    }
    const release = chunks.hold()
    const all = [edit([columns.add(9, 0)], 2)]
    await waitFor(() => chunks.attempts.length === 1)
    all.push(edit([a], 2), edit([b], 2), edit([b, c], 3))
    release()
    await Promise.all(all)
    expect(attempted()).toEqual([[9], [1, 2], [2, 3]])
    const second = decodeChunk(chunks.attempts[1]?.[1]?.bytes ?? new Uint8Array(), { cx: 2, cz: 0 }, registry)
    expect(second.ok && getBlock(second.chunk, 0, 9, 0)).toBe(2)
  })

  it('that change while many others are being encoded are written in their earlier state', async () => {
    const { chunks, columns, writer, mark } = setUp()
    const many = Array.from({ length: 100 }, (_, cx) => columns.add(cx, 0))
    const first = writer.writeColumns(many)
    await Promise.resolve()
    await Promise.resolve()
    const last = many.at(-1)
    if (last === undefined) throw new Error('no column')
    writer.prepareChange([last])
    mark(last, 3)
    await Promise.all([first, writer.writeColumns([last])])
    const marks = chunks.attempts.map((records) => {
      const decoded = decodeChunk(records.at(-1)?.bytes ?? new Uint8Array(), last, registry)
      return decoded.ok ? getBlock(decoded.chunk, 0, 9, 0) : undefined
    })
    expect(marks).toEqual([0, 3])
  })

  it('are durable at once when there are none', async () => {
    const { chunks, writer } = setUp()
    await writer.writeColumns([])
    await writer.writeRecords([])
    expect(chunks.attempts).toEqual([])
  })
})

describe('records of new columns', () => {
  const limits = { pauseMs: 1, pauseMaxMs: 4 }

  it('do not fail changes of players when they cannot be stored', async () => {
    const { chunks, columns, writer } = setUp()
    chunks.refuse((records) => (records.some(({ cx }) => cx === 5) ? storageFull() : undefined))
    const records = writer.writeRecords([recordOf(5, 2)])
    await writer.writeColumns([columns.add(1, 0)])
    await expect(records).rejects.toEqual(full)
    await writer.close()
  })

  it('are stored later by themselves after a fault', async () => {
    const { chunks, writer, readMark } = setUp({ limits })
    chunks.refuse(storageFull)
    await expect(writer.writeRecords([recordOf(5, 2), recordOf(6, 3)])).rejects.toEqual(full)
    await waitFor(() => chunks.attempts.length >= 4)
    chunks.accept()
    await waitFor(async () => (await readMark({ cx: 6, cz: 0 })) === 3)
    expect(await readMark({ cx: 5, cz: 0 })).toBe(2)
  })

  it('never replace later changes', async () => {
    const { chunks, columns, writer, mark, readMark } = setUp({ limits })
    chunks.refuse(storageFull)
    await expect(writer.writeRecords([recordOf(5, 2)])).rejects.toEqual(full)
    chunks.accept()
    const column = columns.add(5, 0)
    mark(column, 3)
    await writer.writeColumns([column])
    await writer.settle()
    expect(await readMark(column)).toBe(3)
    expect(chunks.attempts.flat().filter(({ cx }) => cx === 5)).toHaveLength(2)
  })

  it.each(['before', 'after'])('requested %s a change of the same column give way to it', async (order) => {
    const { columns, writer, mark, readMark } = setUp()
    const column = columns.add(5, 0)
    mark(column, 3)
    const asks = [() => writer.writeRecords([recordOf(5, 2), recordOf(6, 2)]), () => writer.writeColumns([column])]
    if (order === 'after') asks.reverse()
    await Promise.all(asks.map((ask) => ask()))
    expect([await readMark(column), await readMark({ cx: 6, cz: 0 })]).toEqual([3, 2])
  })

  it('beyond a limit are dropped, the oldest first', async () => {
    const { chunks, writer, attempted } = setUp({ limits: { recordsMax: 2 } })
    const release = chunks.hold()
    const asks = [1, 2, 3].map((cx) => writer.writeRecords([recordOf(cx, 2)]))
    release()
    const outcomes = await Promise.allSettled(asks)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(attempted()).toEqual([[2, 3]])
  })

  it('and changed columns alternate, so that neither waits forever', async () => {
    const { chunks, columns, writer, attempted } = setUp({ limits: { batchMax: 1 } })
    const release = chunks.hold()
    const all: Promise<void>[] = []
    for (let cx = 1; cx <= 3; cx += 1) {
      const column = columns.add(cx, 0)
      writer.prepareChange([column])
      all.push(writer.writeColumns([column]), writer.writeRecords([recordOf(cx + 10, 2)]))
    }
    release()
    await Promise.all(all)
    expect(attempted()).toEqual([[1], [11], [2], [12], [3], [13]])
  })
})

describe('a writer', () => {
  it('settles although writes are added during every write', async () => {
    const { chunks, columns, writer } = setUp()
    const column = columns.add(1, 0)
    const asksMax = 200
    let asks = 0
    const askForMore = (): undefined => {
      asks += 1
      if (asks >= asksMax) return
      void writer.writeColumns([column])
      void writer.writeRecords([recordOf(asks + 1, 2)])
    }
    chunks.refuse(askForMore)
    const done = [writer.writeColumns([column]), writer.writeRecords([recordOf(0, 2)])]
    let areDone = false
    const allDone = Promise.all(done).then(() => {
      areDone = true
    })
    await writer.settle()
    expect(areDone).toBe(true)
    expect(asks).toBeLessThan(10)
    await allDone
    await writer.close()
    expect(asks).toBeGreaterThanOrEqual(asksMax)
  })

  it('settles once no write is in flight, whatever the outcome', async () => {
    const { chunks, columns, writer } = setUp()
    await writer.settle()
    const release = chunks.hold()
    chunks.refuse(storageFull)
    const failed = expect(writer.writeColumns([columns.add(1, 0)])).rejects.toEqual(full)
    let isSettled = false
    const settled = writer.settle().then(() => {
      isSettled = true
    })
    await waitFor(() => chunks.attempts.length === 1)
    expect(isSettled).toBe(false)
    release()
    await settled
    await failed
  })

  it('writes nothing after close, and queued writes before that', async () => {
    const { chunks, columns, writer, readMark } = setUp({ limits: { pauseMs: 60_000 } })
    chunks.refuse(storageFull)
    await expect(writer.writeRecords([recordOf(5, 2)])).rejects.toEqual(full)
    chunks.accept()
    await writer.close()
    expect(await readMark({ cx: 5, cz: 0 })).toBe(2)
    await expect(writer.writeColumns([columns.add(1, 0)])).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await readMark({ cx: 1, cz: 0 })).toBeUndefined()
  })
})

it('closes without waiting for all of an old history to be deleted', async () => {
  let pruned = 0
  const history = {
    note: async () => [],
    prune: () => {
      pruned += 1
      return [{ key: `history/page/${pruned}`, bytes: undefined }]
    },
    settle: () => undefined,
  }
  const memory = createMemoryChunkStore()
  const putMany: typeof memory.putMany = async (...asked) => {
    await letOthersWork()
    await memory.putMany(...asked)
  }
  const { writer } = setUp({ history, chunks: { ...memory, putMany }, limits: { pruneEveryMs: 5 } })
  await waitFor(() => pruned > 3)
  await writer.close()
  const atClose = pruned
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(pruned).toBe(atClose)
})
