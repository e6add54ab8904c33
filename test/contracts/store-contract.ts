import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createCollection, type ListOptions, putWrite, type Store, type Write } from '../../shared/platform/storage/store.ts'
import { counters, increment } from '../support/storage/counter-collection.ts'

const words = createCollection('words', Type.Object({ word: Type.String() }))
const conflict = { kind: 'conflict', slug: 'conflict' }
const invalid = { kind: 'invalid', slug: 'bad-request' }

const check = (id: string, ifVersion: string | null): Write => ({ kind: 'check', collection: counters.name, id, ifVersion })
const remove = (id: string, ifVersion?: string | null): Write => ({
  kind: 'delete',
  collection: counters.name,
  id,
  ...(ifVersion === undefined ? {} : { ifVersion }),
})

/** By UTF-8 bytes: ASCII, then two bytes, three (the last one before the surrogates' range and one after), four. */
const orderedIds = [
  'a',
  'a\u0000',
  'a\u0000b',
  'a b',
  'aa',
  'aÿ',
  'a\u07ff',
  'a\ud7ff',
  'a\uffff',
  'a😀',
  'a\u{10ffff}',
  'a\u{10ffff}z',
  'b',
  'é',
  '日本',
  '\uffff',
  '😀',
  '\u{10ffff}',
]

/** What every Store promises; `open` gives an empty one. */
export const describeStore = (name: string, open: () => Promise<{ store: Store; dispose: () => Promise<void> }>): void => {
  describe(`the store ${name}`, () => {
    let store: Store
    let dispose: () => Promise<void>
    const idsOf = async (options: ListOptions): Promise<string[]> =>
      (await store.list(counters, options)).records.map(({ id }) => id)
    const fill = async (ids: readonly string[]): Promise<void> => {
      for (const [n, id] of ids.entries()) await store.put(counters, id, { n })
    }

    beforeEach(async () => {
      ;({ store, dispose } = await open())
    })
    afterEach(() => dispose())

    describe('keeping records', () => {
      it('reads back what was put, with the version that put returned', async () => {
        const version = await store.put(counters, 'one', { n: 1 })
        expect(await store.get(counters, 'one')).toEqual({ id: 'one', version, value: { n: 1 } })
      })

      it('has no record that was never put, or was deleted', async () => {
        expect(await store.get(counters, 'one')).toBeUndefined()
        await store.put(counters, 'one', { n: 1 })
        expect(await store.delete(counters, 'one')).toBe(true)
        expect(await store.get(counters, 'one')).toBeUndefined()
        expect(await store.delete(counters, 'one')).toBe(false)
      })

      it('keeps collections apart that hold the same ids, or whose names begin alike', async () => {
        const longer = createCollection('counters-2', Type.Object({ n: Type.Number() }))
        await store.put(counters, 'one', { n: 1 })
        await store.put(words, 'one', { word: 'eins' })
        await store.put(longer, 'two', { n: 2 })
        expect((await store.get(words, 'one'))?.value).toEqual({ word: 'eins' })
        expect(await idsOf({})).toEqual(['one'])
        await store.delete(words, 'one')
        expect((await store.get(counters, 'one'))?.value).toEqual({ n: 1 })
      })

      it('shares no value with its callers', async () => {
        const value = { n: 1 }
        await store.put(counters, 'one', value)
        value.n = 2
        const first = await store.get(counters, 'one')
        if (first) first.value.n = 3
        expect((await store.get(counters, 'one'))?.value).toEqual({ n: 1 })
      })

      it('keeps text, numbers, nesting and emptiness as they are', async () => {
        const anything = createCollection('anything', Type.Unknown())
        for (const value of [
          '',
          'grüße 😀\u0000',
          0,
          -1.5e300,
          false,
          null,
          [],
          {},
          { a: [{ b: null }, ['x'.repeat(100_000)]] },
        ]) {
          await store.put(anything, 'it', value)
          expect((await store.get(anything, 'it'))?.value).toEqual(value)
        }
      })

      it('refuses a value that has no JSON', async () => {
        const anything = createCollection('anything', Type.Unknown())
        for (const value of [undefined, () => 1, 1n])
          await expect(store.put(anything, 'it', value)).rejects.toMatchObject(invalid)
        expect(await store.get(anything, 'it')).toBeUndefined()
      })

      it('answers unavailable for a record that no longer fits its collection, and lets it be replaced', async () => {
        await store.put(createCollection(counters.name, Type.Object({ old: Type.String() })), 'one', { old: 'shape' })
        await expect(store.get(counters, 'one')).rejects.toMatchObject({ kind: 'unavailable' })
        await expect(store.list(counters)).rejects.toMatchObject({ kind: 'unavailable' })
        await store.put(counters, 'one', { n: 1 })
        expect((await store.get(counters, 'one'))?.value).toEqual({ n: 1 })
      })
    })

    describe('naming records', () => {
      it.each([
        ['of one byte', 'a'],
        ['of 512 bytes', 'a'.repeat(512)],
        ['of 512 bytes outside ASCII', '😀'.repeat(128)],
        ['with control characters', '\u0000\u0001\n'],
        ['like a path or a prototype', '../__proto__'],
        ['of one object key that every object has', '__proto__'],
      ])('takes an id %s', async (_title, id) => {
        await store.put(counters, id, { n: 1 })
        expect(await store.get(counters, id)).toMatchObject({ id, value: { n: 1 } })
        expect(await idsOf({})).toEqual([id])
      })

      it.each([
        ['that is empty', ''],
        ['of 513 bytes', 'a'.repeat(513)],
        ['of 513 bytes in fewer characters', `${'é'.repeat(256)}a`],
        ['with half a surrogate pair', 'a\ud800'],
      ])('refuses an id %s', async (_title, id) => {
        await expect(store.get(counters, id)).rejects.toMatchObject(invalid)
        await expect(store.put(counters, id, { n: 1 })).rejects.toMatchObject(invalid)
        await expect(store.delete(counters, id)).rejects.toMatchObject(invalid)
        await expect(store.commit([check(id, null)])).rejects.toMatchObject(invalid)
      })
    })

    describe('versions', () => {
      it('never repeat for a record: not with the same value, not after a deletion', async () => {
        const seen: string[] = []
        for (const n of [1, 1, 2, 1]) {
          seen.push(await store.put(counters, 'one', { n }))
          seen.push(...(await store.commit([putWrite(counters, 'one', { n })])).map(String))
          await store.delete(counters, 'one')
        }
        expect(new Set(seen).size).toBe(8)
      })

      it('let a put through with ifVersion null only when there is no record', async () => {
        await store.put(counters, 'one', { n: 1 }, { ifVersion: null })
        await expect(store.put(counters, 'one', { n: 2 }, { ifVersion: null })).rejects.toMatchObject(conflict)
        expect((await store.get(counters, 'one'))?.value).toEqual({ n: 1 })
        await store.delete(counters, 'one')
        await store.put(counters, 'one', { n: 3 }, { ifVersion: null })
      })

      it('let a put or a delete through only at the very version named', async () => {
        const stale = await store.put(counters, 'one', { n: 1 })
        const current = await store.put(counters, 'one', { n: 1 }, { ifVersion: stale })
        await expect(store.put(counters, 'one', { n: 2 }, { ifVersion: stale })).rejects.toMatchObject(conflict)
        await expect(store.delete(counters, 'one', { ifVersion: stale })).rejects.toMatchObject(conflict)
        expect(await store.get(counters, 'one')).toEqual({ id: 'one', version: current, value: { n: 1 } })
        expect(await store.delete(counters, 'one', { ifVersion: current })).toBe(true)
      })

      it('conflict where the record of a named version is gone, or was made anew', async () => {
        const version = await store.put(counters, 'one', { n: 1 })
        await store.delete(counters, 'one')
        await expect(store.put(counters, 'one', { n: 2 }, { ifVersion: version })).rejects.toMatchObject(conflict)
        await expect(store.delete(counters, 'one', { ifVersion: version })).rejects.toMatchObject(conflict)
        await store.put(counters, 'one', { n: 1 })
        await expect(store.delete(counters, 'one', { ifVersion: version })).rejects.toMatchObject(conflict)
      })

      it('read ifVersion undefined as no precondition, and null on a delete as absent', async () => {
        await store.put(counters, 'one', { n: 1 })
        await store.commit([{ ...putWrite(counters, 'one', { n: 2 }), ifVersion: undefined as never }])
        await expect(store.delete(counters, 'one', { ifVersion: null })).rejects.toMatchObject(conflict)
        await store.delete(counters, 'one')
        expect(await store.delete(counters, 'one', { ifVersion: null })).toBe(false)
      })
    })

    describe('committing several', () => {
      it('applies puts, deletes and checks together and returns a version for each put', async () => {
        const [kept, gone] = [await store.put(counters, 'kept', { n: 1 }), await store.put(counters, 'gone', { n: 1 })]
        const versions = await store.commit([
          putWrite(counters, 'new', { n: 2 }, { ifVersion: null }),
          check('kept', kept),
          remove('gone', gone),
          putWrite(words, 'new', { word: 'neu' }),
          check('absent', null),
        ])
        expect(versions).toEqual([expect.any(String), null, null, expect.any(String), null])
        expect(await store.get(counters, 'new')).toEqual({ id: 'new', version: versions[0], value: { n: 2 } })
        expect((await store.get(words, 'new'))?.version).toBe(versions[3])
        expect(await idsOf({})).toEqual(['kept', 'new'])
        expect((await store.get(counters, 'kept'))?.version).toBe(kept)
      })

      it.each(['first', 'middle', 'last'])('applies nothing when the %s precondition is missed', async (place) => {
        const before = await store.put(counters, 'old', { n: 1 })
        const writes = [putWrite(counters, 'new', { n: 2 }), remove('old'), putWrite(words, 'new', { word: 'neu' })]
        writes.splice({ first: 0, middle: 1, last: 3 }[place] ?? 0, 0, check('absent', 'some version'))
        await expect(store.commit(writes)).rejects.toMatchObject(conflict)
        expect(await store.list(counters)).toEqual({ records: [{ id: 'old', version: before, value: { n: 1 } }] })
        expect(await store.get(words, 'new')).toBeUndefined()
      })

      it('checks without changing: a check of presence and one of absence', async () => {
        const version = await store.put(counters, 'one', { n: 1 })
        expect(await store.commit([check('one', version)])).toEqual([null])
        expect(await store.commit([check('two', null)])).toEqual([null])
        await expect(store.commit([check('one', null)])).rejects.toMatchObject(conflict)
        await expect(store.commit([check('two', version)])).rejects.toMatchObject(conflict)
        expect((await store.get(counters, 'one'))?.version).toBe(version)
      })

      it('takes 10 writes, and refuses none and 11', async () => {
        const writes = Array.from({ length: 11 }, (_, n) => putWrite(counters, `id ${n}`, { n }))
        await expect(store.commit([])).rejects.toMatchObject(invalid)
        await expect(store.commit(writes)).rejects.toMatchObject(invalid)
        expect(await idsOf({})).toEqual([])
        expect(new Set(await store.commit(writes.slice(1))).size).toBe(10)
      })

      it('refuses to name a record twice, and takes the same id in two collections', async () => {
        for (const second of [putWrite(counters, 'one', { n: 2 }), remove('one'), check('one', null)])
          await expect(store.commit([putWrite(counters, 'one', { n: 1 }), second])).rejects.toMatchObject(invalid)
        expect(await idsOf({})).toEqual([])
        await store.commit([putWrite(counters, 'one', { n: 1 }), putWrite(words, 'one', { word: 'eins' })])
      })

      it('applies nothing when one value has no JSON', async () => {
        const bad: Write = { kind: 'put', collection: words.name, id: 'bad', value: undefined }
        await expect(store.commit([putWrite(counters, 'one', { n: 1 }), bad])).rejects.toMatchObject(invalid)
        expect(await idsOf({})).toEqual([])
      })
    })

    describe('writing at once', () => {
      it('loses no conditional increment', async () => {
        await Promise.all(
          Array.from({ length: 8 }, async () => {
            for (let done = 0; done < 10; done += 1) await increment(store, 'one')
          }),
        )
        expect((await store.get(counters, 'one'))?.value).toEqual({ n: 80 })
      })

      it('lets exactly one of many create a record', async () => {
        const attempts = await Promise.allSettled(
          Array.from({ length: 50 }, (_, n) => store.put(counters, 'one', { n }, { ifVersion: null })),
        )
        expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      })

      it('leaves nothing of the commits that come too late to create a record, among others that replace it', async () => {
        const attempts = await Promise.allSettled(
          Array.from({ length: 40 }, (_, n) =>
            store.commit([
              putWrite(counters, `own ${n}`, { n }, n % 3 === 0 ? {} : { ifVersion: null }),
              putWrite(counters, `shared ${n % 4}`, { n }, { ifVersion: null }),
              putWrite(counters, `any ${n % 4}`, { n }),
            ]),
          ),
        )
        const late = attempts.flatMap((attempt, n) => (attempt.status === 'rejected' ? [{ n, error: attempt.reason }] : []))
        expect(late).toHaveLength(36)
        for (const { n, error } of late) {
          expect(error).toMatchObject({ kind: 'conflict' })
          expect(await store.get(counters, `own ${n}`)).toBeUndefined()
        }
        for (let at = 0; at < 4; at += 1) {
          const winner = (await store.get(counters, `shared ${at}`))?.value.n ?? -1
          expect((await store.get(counters, `any ${at}`))?.value).toEqual({ n: winner })
          expect((await store.get(counters, `own ${winner}`))?.value).toEqual({ n: winner })
        }
      })

      it('never shows half of a commit to a reader of the whole', async () => {
        const ids = ['a', 'b', 'c']
        let writing = true
        const writer = (async () => {
          for (let n = 0; n < 60; n += 1) await store.commit(ids.map((id) => putWrite(counters, id, { n })))
        })().finally(() => {
          writing = false
        })
        const sums = new Set<boolean>()
        while (writing) {
          const { records } = await store.list(counters)
          sums.add(new Set(records.map(({ value }) => value.n)).size <= 1)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await writer
        expect([...sums]).toEqual([true])
      })
    })

    describe('listing', () => {
      it('is empty for a collection without records', async () => {
        expect(await store.list(counters)).toEqual({ records: [] })
      })

      it('orders by the UTF-8 bytes of the id, both ways', async () => {
        await fill([...orderedIds].reverse())
        expect(await idsOf({})).toEqual(orderedIds)
        expect(await idsOf({ order: 'descending' })).toEqual([...orderedIds].reverse())
      })

      it.each(['', 'a', 'a\u0000', 'aÿ', 'a\u07ff', 'a\ud7ff', 'a\uffff', 'a\u{10ffff}', 'b', '😀', '\u{10ffff}', 'zz'])(
        'finds by the prefix %j those that begin with it, both ways',
        async (prefix) => {
          await fill(orderedIds)
          const expected = orderedIds.filter((id) => id.startsWith(prefix))
          expect(await idsOf({ prefix })).toEqual(expected)
          expect(await idsOf({ prefix, order: 'descending' })).toEqual(expected.reverse())
        },
      )

      it.each(['ascending', 'descending'] as const)('walks pages of every size to each record once, %s', async (order) => {
        await fill(orderedIds)
        const expected = order === 'ascending' ? orderedIds : [...orderedIds].reverse()
        for (let limit = 1; limit <= orderedIds.length + 1; limit += 1) {
          const seen: string[] = []
          let cursor: string | undefined
          do {
            const page = await store.list(counters, { limit, order, ...(cursor === undefined ? {} : { cursor }) })
            expect(page.records.length).toBeLessThanOrEqual(limit)
            seen.push(...page.records.map(({ id }) => id))
            cursor = page.nextCursor
          } while (cursor !== undefined)
          expect(seen).toEqual(expected)
        }
      })

      it('pages within a prefix, both ways', async () => {
        await fill(['a', 'b1', 'b2', 'b3', 'c'])
        const first = await store.list(counters, { prefix: 'b', limit: 2 })
        expect(first.records.map(({ id }) => id)).toEqual(['b1', 'b2'])
        expect(await idsOf({ prefix: 'b', limit: 2, cursor: first.nextCursor ?? '' })).toEqual(['b3'])
        const last = await store.list(counters, { prefix: 'b', limit: 2, order: 'descending' })
        expect(last.records.map(({ id }) => id)).toEqual(['b3', 'b2'])
        expect(await idsOf({ prefix: 'b', limit: 2, order: 'descending', cursor: last.nextCursor ?? '' })).toEqual(['b1'])
      })

      it('finds within the prefix alone from a cursor outside of it', async () => {
        await fill(['a', 'aa', 'b1', 'b2', 'c', 'd'])
        const { nextCursor: below = '' } = await store.list(counters, { limit: 1 })
        const { nextCursor: above = '' } = await store.list(counters, { limit: 1, order: 'descending' })
        expect(await idsOf({ prefix: 'b', cursor: below })).toEqual(['b1', 'b2'])
        expect(await idsOf({ prefix: 'b', cursor: below, order: 'descending' })).toEqual([])
        expect(await idsOf({ prefix: 'b', cursor: above, order: 'descending' })).toEqual(['b2', 'b1'])
        expect(await idsOf({ prefix: 'b', cursor: above })).toEqual([])
      })

      it('gives no cursor where nothing follows', async () => {
        await fill(['a', 'b'])
        expect(await store.list(counters, { limit: 2 })).not.toHaveProperty('nextCursor')
        expect(await store.list(counters, { limit: 1 })).toHaveProperty('nextCursor')
      })

      it('goes on after a record that was deleted, past one that was put before it', async () => {
        await fill(['a', 'b', 'c'])
        const { nextCursor } = await store.list(counters, { limit: 2 })
        await store.delete(counters, 'b')
        await fill(['aa', 'bb'])
        expect(await idsOf({ cursor: nextCursor ?? '' })).toEqual(['bb', 'c'])
      })

      it('returns values and versions like get, 100 unless told otherwise, 1,000 at most', async () => {
        const ids = Array.from({ length: 101 }, (_, n) => String(n).padStart(4, '0'))
        for (let at = 0; at < ids.length; at += 10)
          await store.commit(ids.slice(at, at + 10).map((id) => putWrite(counters, id, { n: at })))
        const { records } = await store.list(counters)
        expect(records).toHaveLength(100)
        expect(records[42]).toEqual(await store.get(counters, '0042'))
        expect(await idsOf({ limit: 1000 })).toEqual(ids)
      })

      it.each([
        { limit: 0 },
        { limit: 1001 },
        { limit: 1.5 },
        { limit: Number.NaN },
        { cursor: '' },
        { cursor: 'not/base64url' },
        { cursor: Buffer.of(0xff).toString('base64url') },
        { prefix: '\udc00' },
      ])('refuses %j', async (options) => {
        await expect(store.list(counters, options)).rejects.toMatchObject(invalid)
      })
    })

    describe('closing', () => {
      it('finishes the writes that were asked for before, and refuses what comes after', async () => {
        const write = store.put(counters, 'one', { n: 1 })
        const closed = store.close()
        await expect(store.get(counters, 'one')).rejects.toMatchObject({ kind: 'unavailable' })
        await expect(store.put(counters, 'two', { n: 1 })).rejects.toMatchObject({ kind: 'unavailable' })
        await closed
        expect(await write).toEqual(expect.any(String))
        await expect(store.list(counters)).rejects.toMatchObject({ kind: 'unavailable' })
        await store.close()
      })
    })
  })
}
