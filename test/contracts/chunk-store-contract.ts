import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ChunkRecord, ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import { type ChunkBox, type ChunkPos, chunkMax, chunkMin } from '../../shared/rules/positions.ts'

const world: WorldRef = { name: 'overworld', id: '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10' }
const other: WorldRef = { name: 'Other_world-2', id: '0c8a1c46-9d60-4b4c-8f0c-6a1f2f9b6e77' }

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const recordOf = (cx: number, cz: number, text = `${cx},${cz}`): ChunkRecord => ({ cx, cz, bytes: bytesOf(text) })
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes)

const corners: readonly ChunkPos[] = [chunkMin, chunkMax].flatMap((cx) => [chunkMin, chunkMax].map((cz) => ({ cx, cz })))
const outside: readonly ChunkPos[] = [
  { cx: chunkMin - 1, cz: 0 },
  { cx: 0, cz: chunkMax + 1 },
  { cx: 0.5, cz: 0 },
  { cx: 0, cz: Number.NaN },
  { cx: 2 ** 40, cz: -(2 ** 40) },
]

const byPlace = (a: ChunkPos, b: ChunkPos): number => a.cx - b.cx || a.cz - b.cz
const isIn = (box: ChunkBox, { cx, cz }: ChunkPos): boolean =>
  cx >= box.minCx && cx <= box.maxCx && cz >= box.minCz && cz <= box.maxCz

/** Near the edges of regions, of the world, and of nothing in particular. */
const coordinates = fc.oneof(
  fc.integer({ min: -70, max: 70 }),
  fc.constantFrom(-65, -64, -33, -32, -31, -1, 0, 1, 31, 32, 63, 64),
  fc.constantFrom(chunkMin, chunkMin + 1, chunkMax - 1, chunkMax),
  fc.integer({ min: chunkMin, max: chunkMax }),
)
const positions = fc.record({ cx: coordinates, cz: coordinates })
const boxes = fc.tuple(positions, positions).map(
  ([a, b]): ChunkBox => ({
    minCx: Math.min(a.cx, b.cx),
    maxCx: Math.max(a.cx, b.cx),
    minCz: Math.min(a.cz, b.cz),
    maxCz: Math.max(a.cz, b.cz),
  }),
)

/** What every ChunkStore promises; `open` gives an empty one. */
export const describeChunkStore = (
  name: string,
  open: () => Promise<{ store: ChunkStore; dispose: () => Promise<void> }>,
): void => {
  describe(`the chunk store ${name}`, () => {
    let store: ChunkStore
    let dispose: () => Promise<void>
    const discover = async (ref: WorldRef, box?: ChunkBox, from = store): Promise<ChunkPos[]> => {
      const found: ChunkPos[] = []
      for await (const { cx, czs } of from.discovered(ref, box)) {
        expect(czs).toBeInstanceOf(Int32Array)
        expect(czs.length).toBeGreaterThan(0)
        for (const cz of czs) found.push({ cx, cz })
      }
      return found
    }
    const listAside = async (ref: WorldRef): Promise<string[]> => {
      const found: string[] = []
      for await (const { cx, cz, bytes } of store.listSetAside(ref)) found.push(`${cx},${cz}: ${textOf(bytes)}`)
      return found.sort()
    }

    beforeEach(async () => {
      ;({ store, dispose } = await open())
    })
    afterEach(() => dispose())

    describe('keeping columns', () => {
      it('reads a world without chunks as empty', async () => {
        expect(await store.get(world, { cx: 0, cz: 0 })).toBeUndefined()
        expect(await store.getMany(world, [{ cx: 0, cz: 0 }])).toEqual([undefined])
        expect(await store.has(world, { cx: 0, cz: 0 })).toBe(false)
        expect(await store.hasMany(world, [{ cx: 0, cz: 0 }])).toEqual([false])
        expect(await discover(world)).toEqual([])
        expect(await store.stats(world)).toEqual({ chunkCount: 0, sizeBytes: 0 })
        expect(await listAside(world)).toEqual([])
      })

      it('reads back the bytes that were put, of any size', async () => {
        const sizes = [1, 2, 100, 4095, 4096, 8000, 40_000, 200_000]
        const records = sizes.map((size, at) => ({
          cx: at,
          cz: -at,
          bytes: Uint8Array.from({ length: size }, (_, n) => n * 7 + at),
        }))
        await store.putMany(world, records, 1)
        for (const { cx, cz, bytes } of records)
          expect(Uint8Array.from((await store.get(world, { cx, cz })) ?? [])).toEqual(bytes)
        expect(await store.has(world, { cx: 3, cz: -3 })).toBe(true)
        expect(await store.has(world, { cx: -3, cz: 3 })).toBe(false)
      })

      it('gives bytes that stay as they are when later ones are read and written, and that the reader may change', async () => {
        await store.putMany(world, [recordOf(0, 0, 'first'), recordOf(0, 1, 'other')], 1)
        const read = await store.get(world, { cx: 0, cz: 0 })
        await store.get(world, { cx: 0, cz: 1 })
        await store.putMany(world, [recordOf(0, 0, 'later')], 1)
        await store.get(world, { cx: 0, cz: 0 })
        expect(textOf(read)).toBe('first')
        const [again] = await store.getMany(world, [{ cx: 0, cz: 0 }])
        again?.fill(0)
        expect(textOf(await store.get(world, { cx: 0, cz: 0 }))).toBe('later')
      })

      it('answers getMany in the order of the question, with what is missing and what is asked twice', async () => {
        await store.putMany(world, [recordOf(1, 1), recordOf(-1, 5), recordOf(7, -2)], 1)
        const asked = [
          { cx: 7, cz: -2 },
          { cx: 0, cz: 0 },
          { cx: 1, cz: 1 },
          { cx: -1, cz: 5 },
          { cx: 7, cz: -2 },
        ]
        expect((await store.getMany(world, asked)).map(textOf)).toEqual(['7,-2', undefined, '1,1', '-1,5', '7,-2'])
        expect(await store.getMany(world, [])).toEqual([])
      })

      it('replaces a column, and counts it once', async () => {
        await store.putMany(world, [recordOf(4, 4, 'old')], 1)
        await store.putMany(world, [recordOf(4, 4, 'new, and longer')], 1)
        expect(textOf(await store.get(world, { cx: 4, cz: 4 }))).toBe('new, and longer')
        expect((await store.stats(world)).chunkCount).toBe(1)
        expect(await discover(world)).toEqual([{ cx: 4, cz: 4 }])
      })

      it('keeps the last record of a column that one putMany names twice', async () => {
        await store.putMany(world, [recordOf(2, 2, 'first'), recordOf(3, 3), recordOf(2, 2, 'last')], 1)
        expect(textOf(await store.get(world, { cx: 2, cz: 2 }))).toBe('last')
        expect((await store.stats(world)).chunkCount).toBe(2)
      })

      it('keeps apart the columns at the corners of the world and around its middle', async () => {
        const around = [-33, -32, -1, 0, 1, 31, 32].flatMap((cx) => [-33, -32, -1, 0, 1, 31, 32].map((cz) => ({ cx, cz })))
        const all = [...around, ...corners]
        await store.putMany(
          world,
          all.map(({ cx, cz }) => recordOf(cx, cz)),
          1,
        )
        expect((await store.getMany(world, all)).map(textOf)).toEqual(all.map(({ cx, cz }) => `${cx},${cz}`))
        expect(await discover(world)).toEqual([...all].sort(byPlace))
        expect((await store.stats(world)).chunkCount).toBe(all.length)
      })

      it('takes a thousand records at once, and tells how many there are and what they take', async () => {
        const records = Array.from({ length: 1000 }, (_, n) => ({
          ...recordOf((n % 40) - 20, Math.floor(n / 40) - 12),
          // Noise, since a store may deflate.
          bytes: Uint8Array.from([...randomBytes(1999), n % 251]),
        }))
        await store.putMany(world, records, 1)
        const { chunkCount, sizeBytes } = await store.stats(world)
        expect(chunkCount).toBe(1000)
        expect(sizeBytes).toBeGreaterThanOrEqual(2_000_000)
        expect(await discover(world)).toHaveLength(1000)
        const read = await store.getMany(world, records)
        expect(read.every((bytes, n) => bytes?.length === 2000 && bytes[1999] === n % 251)).toBe(true)
      })

      it('takes writes that are asked for at once, each whole', async () => {
        await Promise.all(Array.from({ length: 20 }, (_, n) => store.putMany(world, [recordOf(n, 0), recordOf(0, n)], 1)))
        expect((await store.stats(world)).chunkCount).toBe(39)
      })
    })

    describe('worlds', () => {
      it('are apart', async () => {
        await store.putMany(world, [recordOf(0, 0, 'here'), recordOf(5, 5)], 9)
        await store.putMany(other, [recordOf(0, 0, 'there')], 1)
        expect(textOf(await store.get(world, { cx: 0, cz: 0 }))).toBe('here')
        expect(textOf(await store.get(other, { cx: 0, cz: 0 }))).toBe('there')
        expect(await store.has(other, { cx: 5, cz: 5 })).toBe(false)
        await store.setAside(other, { cx: 0, cz: 0 }, 1)
        expect((await store.stats(world)).chunkCount).toBe(2)
        expect(await discover(other)).toEqual([])
        expect(await listAside(world)).toEqual([])
      })

      it('are refused, and left alone, when another one of the same name is stored', async () => {
        await store.putMany(world, [recordOf(0, 0)], 1)
        const impostor = { name: world.name, id: other.id }
        const refusal = { kind: 'unavailable', slug: 'world-unusable' }
        await expect(store.get(impostor, { cx: 0, cz: 0 })).rejects.toMatchObject(refusal)
        await expect(store.getMany(impostor, [])).rejects.toMatchObject(refusal)
        await expect(store.has(impostor, { cx: 0, cz: 0 })).rejects.toMatchObject(refusal)
        await expect(store.hasMany(impostor, [])).rejects.toMatchObject(refusal)
        await expect(store.putMany(impostor, [recordOf(0, 0, 'theirs')], 5)).rejects.toMatchObject(refusal)
        await expect(store.setAside(impostor, { cx: 0, cz: 0 }, 5)).rejects.toMatchObject(refusal)
        await expect(store.stats(impostor)).rejects.toMatchObject(refusal)
        await expect(discover(impostor)).rejects.toMatchObject(refusal)
        await expect(listAside(impostor)).rejects.toMatchObject(refusal)
        expect(textOf(await store.get(world, { cx: 0, cz: 0 }))).toBe('0,0')
        await store.putMany(world, [recordOf(0, 1)], 1)
      })

      it.each(['', '.', '..', '../up', 'a/b', 'a\\b', 'a b', 'ä', 'x'.repeat(65), 'nul\u0000'])(
        'are not named %j',
        async (bad) => {
          const ref = { name: bad, id: world.id }
          const refusal = { kind: 'invalid', slug: 'bad-request' }
          await expect(store.get(ref, { cx: 0, cz: 0 })).rejects.toMatchObject(refusal)
          await expect(store.putMany(ref, [recordOf(0, 0)], 1)).rejects.toMatchObject(refusal)
          await expect(discover(ref)).rejects.toMatchObject(refusal)
        },
      )
    })

    describe('bad input', () => {
      it.each(outside)('reads the impossible column $cx, $cz as absent and refuses to write it', async (pos) => {
        await store.putMany(world, [recordOf(0, 0)], 1)
        const refusal = { kind: 'invalid', slug: 'bad-request' }
        expect(await store.get(world, pos)).toBeUndefined()
        expect(await store.getMany(world, [pos, { cx: 0, cz: 0 }])).toHaveLength(2)
        expect(await store.has(world, pos)).toBe(false)
        expect(await store.hasMany(world, [pos, { cx: 0, cz: 0 }, pos])).toEqual([false, true, false])
        await expect(store.putMany(world, [recordOf(1, 1), { ...pos, bytes: bytesOf('x') }], 1)).rejects.toMatchObject(refusal)
        await expect(store.setAside(world, pos, 1)).rejects.toMatchObject(refusal)
        expect(await discover(world)).toEqual([{ cx: 0, cz: 0 }])
      })

      it('refuses an empty record, and with it the whole write', async () => {
        const write = store.putMany(world, [recordOf(0, 0), { cx: 0, cz: 1, bytes: new Uint8Array(0) }], 1)
        await expect(write).rejects.toMatchObject({ kind: 'invalid' })
        expect((await store.stats(world)).chunkCount).toBe(0)
      })

      it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses the fence %d', async (fence) => {
        await expect(store.putMany(world, [recordOf(0, 0)], fence)).rejects.toMatchObject({ kind: 'invalid' })
        await expect(store.setAside(world, { cx: 0, cz: 0 }, fence)).rejects.toMatchObject({ kind: 'invalid' })
      })
    })

    describe('columns that are asked for together', () => {
      it('are there exactly where they were put, in the order of the question', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(positions, { maxLength: 40 }),
            fc.array(positions, { maxLength: 40 }),
            async (put, others) => {
              const { store: fresh, dispose: end } = await open()
              try {
                await fresh.putMany(
                  world,
                  put.map(({ cx, cz }) => recordOf(cx, cz)),
                  1,
                )
                const asked = [...others, ...put.toReversed()]
                const expected = asked.map(({ cx, cz }) => put.some((one) => one.cx === cx && one.cz === cz))
                expect(await fresh.hasMany(world, asked)).toEqual(expected)
                expect(await fresh.hasMany(world, [])).toEqual([])
              } finally {
                await end()
              }
            },
          ),
          { numRuns: 25 },
        )
      })
    })

    describe('discovered columns', () => {
      it('come sorted by cx, then cz, a cx once', async () => {
        const all = [-100, -32, 0, 31, 32, 500].flatMap((cx) => [90, -90, 0, 31, -33, 32].map((cz) => recordOf(cx, cz)))
        await store.putMany(world, [...all].reverse(), 1)
        expect(await discover(world)).toEqual(all.map(({ cx, cz }) => ({ cx, cz })).sort(byPlace))
        const rows: number[] = []
        for await (const { cx } of store.discovered(world)) rows.push(cx)
        expect(rows).toEqual([-100, -32, 0, 31, 32, 500])
      })

      it('are those of a plain set, in any box, whatever was written, rewritten and set aside', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(positions, { maxLength: 60 }),
            fc.array(fc.nat(), { maxLength: 8 }),
            fc.array(boxes, { minLength: 1, maxLength: 4 }),
            async (written, aside, asked) => {
              const fresh = await open()
              try {
                const model = new Map(written.map((pos) => [`${pos.cx},${pos.cz}`, pos]))
                const half = Math.floor(written.length / 2)
                const toRecords = (some: readonly ChunkPos[]) => some.map(({ cx, cz }) => recordOf(cx, cz))
                await fresh.store.putMany(world, toRecords(written.slice(0, half)), 1)
                await fresh.store.putMany(world, toRecords(written.slice(half)), 1)
                for (const at of aside) {
                  const pos = written[at % (written.length || 1)]
                  if (pos === undefined) continue
                  await fresh.store.setAside(world, pos, 1)
                  model.delete(`${pos.cx},${pos.cz}`)
                }
                const expected = [...model.values()].sort(byPlace)
                expect(await discover(world, undefined, fresh.store)).toEqual(expected)
                for (const box of asked)
                  expect(await discover(world, box, fresh.store)).toEqual(expected.filter((pos) => isIn(box, pos)))
                expect((await fresh.store.stats(world)).chunkCount).toBe(expected.length)
              } finally {
                await fresh.dispose()
              }
            },
          ),
          { numRuns: 40 },
        )
      })

      it('are none in a box that is upside down or outside of the world, and all in one that is endless', async () => {
        await store.putMany(world, [recordOf(0, 0), ...corners.map(({ cx, cz }) => recordOf(cx, cz))], 1)
        const none = [
          { minCx: 1, maxCx: 0, minCz: -5, maxCz: 5 },
          { minCx: -5, maxCx: 5, minCz: 1, maxCz: 0 },
          { minCx: chunkMax + 1, maxCx: chunkMax + 99, minCz: chunkMin, maxCz: chunkMax },
          { minCx: 0, maxCx: 0, minCz: -(2 ** 40), maxCz: chunkMin - 1 },
        ]
        for (const box of none) expect(await discover(world, box)).toEqual([])
        const all = { minCx: -Infinity, maxCx: Infinity, minCz: -(2 ** 40), maxCz: 2 ** 40 }
        expect(await discover(world, all)).toHaveLength(5)
      })

      it('may be left in the middle, and written to between two rows', async () => {
        await store.putMany(world, [recordOf(0, 0), recordOf(100, 0)], 1)
        for await (const { cx } of store.discovered(world)) {
          expect(cx).toBe(0)
          break
        }
        const seen: number[] = []
        for await (const { cx } of store.discovered(world)) {
          seen.push(cx)
          await store.putMany(world, [recordOf(-100, 0), recordOf(100, 1)], 1)
        }
        expect(seen).toEqual([0, 100])
      })
    })

    describe('set aside', () => {
      it('takes a column out of the world, and keeps its record for an operator', async () => {
        await store.putMany(world, [recordOf(-7, 8, 'damaged'), recordOf(-7, 9, 'sound')], 1)
        await store.setAside(world, { cx: -7, cz: 8 }, 1)
        expect(await store.get(world, { cx: -7, cz: 8 })).toBeUndefined()
        expect(await store.getMany(world, [{ cx: -7, cz: 8 }])).toEqual([undefined])
        expect(await store.has(world, { cx: -7, cz: 8 })).toBe(false)
        const both = [-7, -7].map((cx, at) => ({ cx, cz: 8 + at }))
        expect(await store.hasMany(world, both)).toEqual([false, true])
        expect(await discover(world)).toEqual([{ cx: -7, cz: 9 }])
        expect((await store.stats(world)).chunkCount).toBe(1)
        expect(await listAside(world)).toEqual(['-7,8: damaged'])
      })

      it('keeps each record of a column that is generated anew and damaged again', async () => {
        for (const text of ['one', 'two', 'three']) {
          await store.putMany(world, [recordOf(1, 2, text)], 1)
          await store.setAside(world, { cx: 1, cz: 2 }, 1)
        }
        await store.putMany(world, [recordOf(1, 2, 'sound')], 1)
        expect(await listAside(world)).toEqual(['1,2: one', '1,2: three', '1,2: two'])
        expect(textOf(await store.get(world, { cx: 1, cz: 2 }))).toBe('sound')
        expect((await store.stats(world)).chunkCount).toBe(1)
      })

      it('does nothing where there is no column', async () => {
        await store.setAside(world, { cx: 0, cz: 0 }, 1)
        await store.putMany(world, [recordOf(0, 0)], 1)
        await store.setAside(world, { cx: 0, cz: 1 }, 1)
        expect(await listAside(world)).toEqual([])
        expect((await store.stats(world)).chunkCount).toBe(1)
      })
    })

    describe('records beside the columns', () => {
      const beside = (key: string, text?: string) => ({ key, bytes: text === undefined ? undefined : bytesOf(text) })

      it('come with their columns, are listed by key, replaced and taken away', async () => {
        expect(await store.getSide(world, ['a/1'])).toEqual([undefined])
        expect(await store.listSide(world, 'a/')).toEqual([])
        await store.putMany(world, [recordOf(0, 0)], 1, [beside('a/2', 'two'), beside('b/1', 'other')])
        const many = Array.from({ length: 40 }, (_, cx) => recordOf(cx, 1))
        await store.putMany(world, many, 1, [beside('a/1', 'one'), beside('b/1')])
        expect((await store.getMany(world, many)).map(textOf)).toEqual(many.map(({ bytes }) => textOf(bytes)))
        const listed = (await store.listSide(world, 'a/')).map(({ key, bytes }) => [key, textOf(bytes)])
        expect(listed).toEqual([
          ['a/1', 'one'],
          ['a/2', 'two'],
        ])
        await store.putMany(world, [], 1, [beside('a/1', 'again')])
        expect((await store.getSide(world, ['b/1', 'a/1', 'a/2'])).map(textOf)).toEqual([undefined, 'again', 'two'])
        expect((await store.stats(world)).chunkCount).toBe(41)
      })

      it('are listed a page at a time, each record once', async () => {
        const keys = ['a', 'a/1', 'a/10', 'a/2', 'ab', 'b/1']
        await store.putMany(
          world,
          [],
          1,
          keys.map((key) => beside(key, key)),
        )
        const list = async (prefix: string, after?: string) =>
          (await store.listSide(world, prefix, { after, limit: 2 })).map(({ key }) => key)
        expect(await list('')).toEqual(['a', 'a/1'])
        expect(await list('', 'a')).toEqual(['a/1', 'a/10'])
        expect(await list('', 'a/10')).toEqual(['a/2', 'ab'])
        expect(await list('', 'a/3')).toEqual(['ab', 'b/1'])
        expect(await list('', 'b/1')).toEqual([])
        expect(await list('a/', 'a/10')).toEqual(['a/2'])
      })

      it('are not written by whoever has lost the lease, and are those of one world', async () => {
        await store.putMany(world, [], 2, [beside('a/1', 'kept')])
        await expect(store.putMany(world, [recordOf(0, 0)], 1, [beside('a/1', 'late')])).rejects.toMatchObject({
          slug: 'lease-lost',
        })
        expect((await store.getSide(world, ['a/1'])).map(textOf)).toEqual(['kept'])
        expect(await store.getSide(other, ['a/1'])).toEqual([undefined])
      })
    })

    describe('fencing', () => {
      const lost = { kind: 'conflict', slug: 'lease-lost' }

      it('refuses whoever has lost the lease, and writes nothing of theirs', async () => {
        await store.putMany(world, [recordOf(0, 0, 'first holder')], 3)
        await store.putMany(world, [recordOf(0, 1, 'second holder')], 4)
        await expect(store.putMany(world, [recordOf(0, 0, 'late'), recordOf(9, 9)], 3)).rejects.toMatchObject(lost)
        await expect(store.setAside(world, { cx: 0, cz: 0 }, 3)).rejects.toMatchObject(lost)
        expect(textOf(await store.get(world, { cx: 0, cz: 0 }))).toBe('first holder')
        expect((await store.stats(world)).chunkCount).toBe(2)
        await store.putMany(world, [recordOf(0, 0, 'second holder')], 4)
      })

      it('counts a write of nothing, and a set aside of nothing, as a sign of the new holder', async () => {
        await store.putMany(world, [], 2)
        await expect(store.putMany(world, [recordOf(0, 0)], 1)).rejects.toMatchObject(lost)
        await store.setAside(world, { cx: 0, cz: 0 }, 5)
        await expect(store.putMany(world, [], 4)).rejects.toMatchObject(lost)
        expect(await discover(world)).toEqual([])
      })

      it('tells fences apart up to the largest', async () => {
        await store.putMany(world, [], Number.MAX_SAFE_INTEGER)
        await expect(store.putMany(world, [], Number.MAX_SAFE_INTEGER - 1)).rejects.toMatchObject(lost)
      })

      it('is one for each world', async () => {
        await store.putMany(world, [recordOf(0, 0)], 8)
        await store.putMany(other, [recordOf(0, 0)], 1)
        expect((await store.stats(other)).chunkCount).toBe(1)
      })
    })

    it('answers unavailable once it is closed, and can be closed twice', async () => {
      await store.putMany(world, [recordOf(0, 0)], 1)
      const walk = store.discovered(world)[Symbol.asyncIterator]()
      await store.close()
      await store.close()
      const closed = { kind: 'unavailable', slug: 'service-unavailable' }
      await expect(store.get(world, { cx: 0, cz: 0 })).rejects.toMatchObject(closed)
      await expect(store.putMany(world, [recordOf(0, 0)], 1)).rejects.toMatchObject(closed)
      await expect(store.stats(other)).rejects.toMatchObject(closed)
      await expect(walk.next()).rejects.toMatchObject(closed)
    })
  })
}
