import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { createZoneIndex, type IndexedZone } from '../../shared/domain/zones/zone-index.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createZoneFixture, generateColumns, squareOf, zoneEditor } from '../../test/support/zones/zone-fixture.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const zonesInAll = 10_000
const zoneWidth = 4
const zonesPerSide = 100
const lookupsPerRound = 500_000
const lookupRounds = 9
const lookupTargetNs = 200
const bigWidth = 64
const creations = 15
const creationTargetMs = 50

/** Zones of 16 columns each in a square, one column apart. */
const placeOf = (n: number): IndexedZone['chunks'] =>
  squareOf((n % zonesPerSide) * (zoneWidth + 1), Math.floor(n / zonesPerSide) * (zoneWidth + 1), zoneWidth)

const timed = async (run: () => unknown): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

const benchLookup = async (): Promise<BenchResult[]> => {
  const index = createZoneIndex<IndexedZone>()
  for (let n = 0; n < zonesInAll; n += 1) index.put({ id: String(n), yMin: 60, yMax: 120, chunks: placeOf(n) })
  const side = zonesPerSide * (zoneWidth + 1) * 16
  const next = (state: number): number => (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  let found = 0
  const lookUp = (turn: number): void => {
    let state = turn + 1
    for (let n = 0; n < lookupsPerRound; n += 1) {
      state = next(state)
      const x = (state >>> 8) % side
      state = next(state)
      found += Number(index.zoneAt(x, 40 + (n % 100), (state >>> 8) % side) !== undefined)
    }
  }
  const ns: number[] = []
  for (let turn = 0; turn < lookupRounds; turn += 1) ns.push(((await timed(() => lookUp(turn))) * 1e6) / lookupsPerRound)
  if (found === 0) throw new Error('no look-up found a zone')
  const value = round(median(ns), 1)
  const target = `under ${lookupTargetNs} ns`
  return [{ bench: 'zone-index', figure: 'zone of a block among 10,000', value, unit: 'ns', target, met: value < lookupTargetNs }]
}

const benchCreation = async (): Promise<BenchResult[]> => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const store = createLmdbStore({ path: join(path, 'records'), ids: systemIds })
  const chunks = createLmdbChunkStore({ path: join(path, 'worlds') })
  const fixture = await createZoneFixture({ store, chunks })
  try {
    const columns = squareOf(0, 0, bigWidth)
    await generateColumns(fixture, columns)
    const ms: number[] = []
    for (let n = 0; n < creations; n += 1) {
      const input = { name: `Zone ${n}`, yMin: n * 10, yMax: n * 10 + 9, chunks: columns }
      ms.push(await timed(() => fixture.zones.createZone(zoneEditor, input)))
    }
    const plain = { cx: 0, cz: 0 }
    const small: number[] = []
    for (let n = 0; n < creations; n += 1) {
      const input = { name: `Small ${n}`, yMin: 160 + n * 4, yMax: 161 + n * 4, chunks: [plain] }
      small.push(await timed(() => fixture.zones.createZone(zoneEditor, input)))
    }
    const value = round(median(ms), 1)
    return [
      {
        bench: 'zone-index',
        figure: 'creation with 4,096 columns, durable',
        value,
        unit: 'ms',
        reference: { name: 'creation with 1 column', value: round(median(small), 1) },
        ratio: round(value / median(small)),
        target: `under ${creationTargetMs} ms`,
        met: value < creationTargetMs,
      },
    ]
  } finally {
    await fixture.close()
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * Benchmarks finding the zone of a block, and creating a zone of the maximum size, on disk. It cannot show zones that change
 * during look-ups.
 */
export const zoneIndex: Bench = {
  name: 'zone-index',
  run: async () => [...(await benchLookup()), ...(await benchCreation())],
}
