import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import type { ChunkRecord, ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const rounds = 31
const batchesPerRound = 12
const recordsPerBatch = 64
const world = { name: 'bench', id: '7b0e8c8e-9a55-4d0c-a3a8-5c1d4a9b2f10' }
const plain = { name: 'plain', id: 'd7a2a2d0-6a0f-4b44-8ef1-0a4e6a4c8b21' }

/** Columns of about 8 KB in a square, a different strip in each round, with random bytes. */
const batchesOf = (turn: number): ChunkRecord[][] =>
  Array.from({ length: batchesPerRound }, (_, batch) =>
    Array.from({ length: recordsPerBatch }, (_, at) => {
      const bytes = new Uint8Array(6000 + ((at * 977 + batch * 131) % 4000))
      let state = turn * 7919 + batch * 104_729 + at + 1
      for (let n = 0; n < bytes.length; n += 1) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
        bytes[n] = state >>> 24
      }
      return { cx: turn * batchesPerRound + batch, cz: at, bytes }
    }),
  )

/** LMDB with its default options, except that keys and values are bytes. */
const openRaw = (path: string) => {
  const raw = open<Buffer, Buffer>({ path, noSubdir: false, encoding: 'binary', keyEncoding: 'binary' })
  const keyOf = ({ cx, cz }: ChunkRecord): Buffer => {
    const key = Buffer.alloc(9)
    key.writeInt32BE(cx, 1)
    key.writeInt32BE(cz, 5)
    return key
  }
  return {
    put: async (records: readonly ChunkRecord[]) => {
      await Promise.all(records.map((record) => raw.put(keyOf(record), Buffer.from(record.bytes.buffer))))
      await raw.flushed
    },
    get: (record: ChunkRecord) => raw.get(keyOf(record)),
    /** Reads just after a write of another process, which LMDB alone would see only in a later task of the event loop. */
    getFresh: async (record: ChunkRecord) => {
      raw.resetReadTxn()
      return raw.get(keyOf(record))
    },
    close: () => raw.close(),
  }
}

type Raw = ReturnType<typeof openRaw>

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

const perSecond = (ms: readonly number[]): number => round((batchesPerRound * recordsPerBatch * 1000) / median(ms), 0)

/** The median over rounds of their time over ours, so that disturbances of both cancel out. */
const compare = (
  figure: string,
  target: number,
  { ours, theirs, reference }: { ours: number[]; theirs: number[]; reference: string },
): BenchResult => {
  const ratio = median(ours.map((ms, turn) => (theirs[turn] ?? 0) / ms))
  return {
    bench: 'chunk-store',
    figure,
    value: perSecond(ours),
    unit: 'columns/s',
    reference: { name: reference, value: perSecond(theirs) },
    ratio: round(ratio),
    target: `ratio at least ${target}`,
    met: ratio >= target,
  }
}

/** Runs both in alternating order; the first round does not count. */
const alternate = async (ours: (turn: number) => Promise<number>, theirs: (turn: number) => Promise<number>) => {
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let turn = 0; turn <= rounds; turn += 1) {
    const weFirst = turn % 2 === 0
    const first = await (weFirst ? ours(turn) : theirs(turn))
    const second = await (weFirst ? theirs(turn) : ours(turn))
    if (turn === 0) continue
    times.ours.push(weFirst ? first : second)
    times.theirs.push(weFirst ? second : first)
  }
  return times
}

const measureWrites = async (store: ChunkStore, raw: Raw): Promise<BenchResult> => {
  const times = await alternate(
    (turn) => {
      const batches = batchesOf(turn)
      return timed(async () => {
        for (const batch of batches) await store.putMany(world, batch, 1)
      })
    },
    (turn) => {
      const batches = batchesOf(turn)
      return timed(async () => {
        for (const batch of batches) await raw.put(batch)
      })
    },
  )
  return compare('durable writes in batches of 64', 0.9, {
    ...times,
    reference: 'raw LMDB puts, with default options, each batch flushed',
  })
}

const measureReads = async (store: ChunkStore, raw: Raw): Promise<BenchResult[]> => {
  const read = (run: (batch: readonly ChunkRecord[]) => Promise<unknown>) => (turn: number) => {
    const batches = batchesOf(turn)
    return timed(async () => {
      for (const batch of batches) await run(batch)
    })
  }
  const batched = await alternate(
    read((batch) => store.getMany(world, batch)),
    read(async (batch) => {
      for (const record of batch) raw.get(record)
    }),
  )
  const single = await alternate(
    read(async (batch) => {
      for (const record of batch) await store.get(world, record)
    }),
    read(async (batch) => {
      for (const record of batch) await raw.getFresh(record)
    }),
  )
  return [
    compare('getMany of 64', 0.7, { ...batched, reference: 'raw LMDB gets' }),
    compare('get', 0.7, { ...single, reference: 'raw LMDB gets, each awaited and of a snapshot of its own' }),
  ]
}

const million = 1_000_000
const side = 1000

const fillMillion = async (store: ChunkStore): Promise<void> => {
  const bytes = Uint8Array.of(1)
  for (let cx = 0; cx < side; cx += 10) {
    const strip = Array.from({ length: 10 * side }, (_, n) => ({ cx: cx + Math.floor(n / side), cz: n % side, bytes }))
    await store.putMany(plain, strip, 1)
  }
}

const measureDiscovered = async (store: ChunkStore): Promise<BenchResult[]> => {
  await fillMillion(store)
  const times: number[] = []
  const growths: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    const before = process.memoryUsage.rss()
    let peak = before
    let found = 0
    times.push(
      await timed(async () => {
        for await (const { czs } of store.discovered(plain)) {
          found += czs.length
          if (found % 100_000 === 0) peak = Math.max(peak, process.memoryUsage.rss())
        }
      }),
    )
    if (found !== million) throw new Error(`${found} columns were listed, not ${million}`)
    growths.push(Math.max(peak, process.memoryUsage.rss()) - before)
  }
  const ms = median(times)
  const mebibytes = Math.max(...growths) / 2 ** 20
  const common = { bench: 'chunk-store' }
  return [
    { ...common, figure: 'a million discovered columns', value: round(ms, 1), unit: 'ms', target: 'under 20 ms', met: ms < 20 },
    {
      ...common,
      figure: 'growth of memory while they are read',
      value: round(mebibytes, 1),
      unit: 'MiB',
      target: 'under 64 MiB',
      met: mebibytes < 64,
    },
  ]
}

/**
 * Benchmarks the chunk store in LMDB against LMDB alone with the same keys, bytes and durability, in turns; and a listing of a
 * large world. It cannot show reads from a disk: all pages are in memory.
 */
export const chunkStore: Bench = {
  name: 'chunk-store',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
    const store = createLmdbChunkStore({ path: join(folder, 'worlds') })
    const raw = openRaw(join(folder, 'raw'))
    try {
      const writes = await measureWrites(store, raw)
      const reads = await measureReads(store, raw)
      return [writes, ...reads, ...(await measureDiscovered(store))]
    } finally {
      await raw.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
