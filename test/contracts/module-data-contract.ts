import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createStoreAuditLog } from '../../shared/domain/audit/store-audit-log.ts'
import { raiseDataFence } from '../../shared/domain/modules/data/data-fence.ts'
import { compileData, type DataDeclaration } from '../../shared/domain/modules/data/data-kind.ts'
import { erasePlayerData } from '../../shared/domain/modules/data/erase-player-data.ts'
import {
  createModuleData,
  type DataKey,
  type ModuleData,
  modulePlayers,
  moduleRecords,
  moduleSetAside,
  playerDataId,
  recordId,
  type SetAside,
} from '../../shared/domain/modules/data/module-data.ts'
import { restoreSetAside } from '../../shared/domain/modules/data/restore-set-aside.ts'
import { createWorldStates } from '../../shared/domain/modules/data/world-states.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { type Collection, putWrite, type Store } from '../../shared/platform/storage/store.ts'
import { createFixedClock } from '../support/time/fixed-clock.ts'

const sale = { schema: Type.Object({ item: Type.String(), count: Type.Integer({ minimum: 1 }) }) } satisfies DataDeclaration
const changedSince = { kind: 'conflict', slug: 'changed-since' }

/** The promises of ModuleData on a store; `open` gives an empty one. */
export const describeModuleData = (name: string, open: () => Promise<{ store: Store; dispose: () => Promise<void> }>): void => {
  describe(`values of modules ${name}`, () => {
    let store: Store
    let dispose: () => Promise<void>
    let data: ModuleData
    let aside: SetAside[]

    const keyOf = (id: string, declaration: DataDeclaration = sale): DataKey => ({
      collection: moduleRecords,
      id: recordId('shop', 'sales', id),
      kind: compileData(declaration),
    })
    const apples = { item: 'apple', count: 2 }

    beforeEach(async () => {
      ;({ store, dispose } = await open())
      aside = []
      data = createModuleData({ store, clock: createFixedClock(), ids: systemIds, report: (one) => aside.push(one) })
    })
    afterEach(() => dispose())

    it('reads a value back with its version, and undefined without one', async () => {
      expect(await data.read(keyOf('one'))).toBeUndefined()
      const version = await data.put(keyOf('one'), apples)
      expect(await data.read(keyOf('one'))).toEqual({ value: apples, version, dataVersion: 1 })
    })

    it('refuses a value that does not fit the schema, and writes nothing', async () => {
      await expect(data.put(keyOf('one'), { item: 'apple', count: 0 })).rejects.toMatchObject({ slug: 'rule-broken' })
      expect(await data.read(keyOf('one'))).toBeUndefined()
    })

    it('refuses a value over 64 KiB with too-large', async () => {
      const large = { item: 'ä'.repeat(33_000), count: 1 }
      await expect(data.put(keyOf('one'), large)).rejects.toMatchObject({ kind: 'too-large', slug: 'record-too-large' })
    })

    it('refuses a write with another version as changed-since', async () => {
      const version = await data.put(keyOf('one'), apples, { ifVersion: null })
      await expect(data.put(keyOf('one'), apples, { ifVersion: null })).rejects.toMatchObject(changedSince)
      await data.put(keyOf('one'), { item: 'pear', count: 1 }, { ifVersion: version })
      await expect(data.put(keyOf('one'), apples, { ifVersion: version })).rejects.toMatchObject(changedSince)
      await expect(data.delete(keyOf('one'), { ifVersion: version })).rejects.toMatchObject(changedSince)
      expect((await data.read(keyOf('one')))?.value).toEqual({ item: 'pear', count: 1 })
    })

    it('deletes a value and returns whether there was one', async () => {
      await data.put(keyOf('one'), apples)
      expect(await data.delete(keyOf('one'))).toBe(true)
      expect(await data.delete(keyOf('one'))).toBe(false)
    })

    it('lists values by prefix, in order and in pages', async () => {
      for (const id of ['b1', 'a2', 'a1', 'a3']) await data.put(keyOf(id), apples)
      await data.put({ ...keyOf(''), id: recordId('shop', 'sales2', 'a0') }, apples)
      const first = await data.list(keyOf(''), { prefix: 'a', limit: 2 })
      expect(first.records.map(({ id }) => id)).toEqual(['a1', 'a2'])
      const rest = await data.list(keyOf(''), { prefix: 'a', limit: 2, cursor: first.nextCursor ?? '' })
      expect(rest).toMatchObject({ records: [{ id: 'a3', value: apples }] })
      expect(rest.nextCursor).toBeUndefined()
      expect((await data.list(keyOf(''), {})).records).toHaveLength(4)
    })

    it('commits up to ten writes, all or nothing', async () => {
      const version = await data.put(keyOf('old'), apples)
      await expect(
        data.commit([
          { ...keyOf('new'), value: apples },
          { ...keyOf('old'), delete: true, ifVersion: 'another' },
        ]),
      ).rejects.toMatchObject(changedSince)
      expect(await data.read(keyOf('new'))).toBeUndefined()
      const [put, deleted] = await data.commit([
        { ...keyOf('new'), value: apples, ifVersion: null },
        { ...keyOf('old'), delete: true, ifVersion: version },
      ])
      expect([(await data.read(keyOf('new')))?.version, await data.read(keyOf('old'))]).toEqual([put, undefined])
      expect(deleted).toBeNull()
      const eleven = Array.from({ length: 11 }, (_, n) => ({ ...keyOf(`${n}`), value: apples }))
      await expect(data.commit(eleven)).rejects.toMatchObject({ kind: 'invalid' })
    })

    it('refuses a commit with one value that does not fit', async () => {
      const writes = [
        { ...keyOf('one'), value: apples },
        { ...keyOf('two'), value: { item: 3 } },
      ]
      await expect(data.commit(writes)).rejects.toMatchObject({ slug: 'rule-broken' })
      expect(await data.read(keyOf('one'))).toBeUndefined()
    })

    it('erases the data of one player in every module, with values set aside, and notes it in the audit log', async () => {
      const [gone, other] = [systemIds.uuid(), systemIds.uuid()]
      const deps = { store, clock: createFixedClock(), ids: systemIds }
      for (const module of ['shop', 'shop-2', 'shop2', 'a'])
        for (const playerId of module === 'a' ? [other] : [gone, other])
          await store.put(modulePlayers, playerDataId(module, playerId), { version: 1, value: { coins: 3 } })
      await store.put(modulePlayers, playerDataId('broken', gone), { version: 1, value: 3 })
      await data.read({ collection: modulePlayers, id: playerDataId('broken', gone), kind: compileData(sale) })
      const listIds = async (collection: Collection<unknown>) =>
        (await store.list(collection, { limit: 100 })).records.map(({ id }) => id)
      expect(await listIds(moduleSetAside)).toHaveLength(1)
      for (const _ of [1, 2]) await erasePlayerData(deps, gone)
      expect(await listIds(modulePlayers)).toEqual(['a', 'shop-2', 'shop', 'shop2'].map((module) => playerDataId(module, other)))
      expect(await listIds(moduleSetAside)).toEqual([])
      const { entries } = await createStoreAuditLog(store).listEntries({ limit: 10 })
      expect(new Set(entries.map(({ target }) => target))).toEqual(
        new Set(['shop2', 'shop', 'shop-2'].map((module) => `${module}/players/${gone}`)),
      )
      expect(entries).toHaveLength(3)
    })

    it('lists, writes and erases the states of one world', async () => {
      const states = createWorldStates(store)
      const [north, south] = [systemIds.uuid(), systemIds.uuid()]
      const values = { hello: { version: 2, value: { round: 3 } }, spleef: { version: 1, value: 'ä' } }
      await states.put(north, values)
      await states.put(south, { hello: values.hello })
      expect(await states.list(north)).toEqual(values)
      await states.erase(north)
      expect([await states.list(north), await states.list(south)]).toEqual([{}, { hello: values.hello }])
    })

    describe('versions', () => {
      const second: DataDeclaration = {
        schema: Type.Object({ item: Type.String(), count: Type.Integer(), price: Type.Integer({ minimum: 0 }) }),
        version: 2,
        migrate: [(old: { item: string; count: number }) => ({ ...old, price: old.count * 3 })],
      }

      it('migrates an older value when it is read', async () => {
        await data.put(keyOf('one'), apples)
        expect(await data.read(keyOf('one', second))).toMatchObject({ value: { ...apples, price: 6 }, dataVersion: 2 })
        const { records } = await data.list(keyOf('', second), {})
        expect(records).toMatchObject([{ id: 'one', value: { ...apples, price: 6 } }])
        expect(aside).toEqual([])
      })

      it('reads a newer value that fits, and does not migrate it again later', async () => {
        await data.put(keyOf('one', second), { ...apples, price: 50 })
        const older = await data.read(keyOf('one'))
        expect(older).toMatchObject({ value: { ...apples, price: 50 }, dataVersion: 2 })
        expect(await data.read(keyOf('one', second))).toMatchObject({ value: { ...apples, price: 50 } })
      })

      it('adds the defaults of new fields', async () => {
        await data.put(keyOf('one'), apples)
        const wider = {
          schema: Type.Object({ item: Type.String(), count: Type.Integer(), sold: Type.Boolean({ default: false }) }),
        }
        expect((await data.read(keyOf('one', wider)))?.value).toEqual({ ...apples, sold: false })
      })

      it('sets a value aside that does not fit, reports it, and never overwrites it', async () => {
        const strange = { version: 1, value: { item: 7, note: 'of an older program' } }
        await store.put(moduleRecords, recordId('shop', 'sales', 'odd'), strange)
        await data.put(keyOf('other'), apples)
        expect((await data.list(keyOf(''), {})).records.map(({ id }) => id)).toEqual(['other'])
        expect(await data.read(keyOf('odd'))).toBeUndefined()
        await data.put(keyOf('odd'), apples)
        const kept = await store.list(moduleSetAside)
        expect(kept.records.map(({ value }) => value)).toMatchObject([
          { collection: 'module-records', id: 'shop/sales/odd', stored: strange, fault: expect.stringContaining('/') },
        ])
        expect(aside).toMatchObject([{ id: 'shop/sales/odd' }])
      })

      describe('values that were set aside', () => {
        const counted = { schema: Type.Object({ item: Type.String(), count: Type.String() }) }
        const restore = (declaration: DataDeclaration) =>
          restoreSetAside(store, data, {
            collection: moduleRecords,
            prefix: recordId('shop', 'sales', ''),
            kind: compileData(declaration),
          })
        const countAside = async () => (await store.list(moduleSetAside)).records.length

        it('come back with a declaration that reads them', async () => {
          const ids = Array.from({ length: 30 }, (_, n) => `${n}`)
          for (const id of ids) await data.put(keyOf(id), apples)
          for (const id of ids) expect(await data.read(keyOf(id, counted))).toBeUndefined()
          expect(await restore(counted)).toMatchObject({ remaining: 30 })
          const { values, remaining } = await restore(sale)
          expect([values.size, remaining, await countAside()]).toEqual([30, 0, 0])
          for (const id of ids) expect(await data.read(keyOf(id))).toEqual(values.get(keyOf(id).id))
        })

        it('replace a newer value that the declaration cannot read', async () => {
          await data.put(keyOf('one'), apples)
          await data.read(keyOf('one', counted))
          await data.put(keyOf('one', counted), { item: 'pear', count: 'many' })
          expect(await restore(sale)).toMatchObject({ remaining: 0 })
          expect((await data.read(keyOf('one')))?.value).toEqual(apples)
          expect(await countAside()).toBe(1)
          await data.read(keyOf('one', counted))
          await restore(counted)
          expect((await data.read(keyOf('one', counted)))?.value).toEqual({ item: 'pear', count: 'many' })
        })

        it('stay there while a readable value is stored', async () => {
          await data.put(keyOf('one'), apples)
          await data.read(keyOf('one', counted))
          await data.put(keyOf('one'), { ...apples, count: 1 })
          expect(await restore(sale)).toMatchObject({ remaining: 1 })
          expect((await data.read(keyOf('one')))?.value).toEqual({ ...apples, count: 1 })
        })
      })

      it('sets a value aside whose migration throws', async () => {
        await data.put(keyOf('one'), apples)
        const throwing: DataDeclaration = {
          ...second,
          migrate: [
            () => {
              throw new Error('no price list')
            },
          ],
        }
        expect(await data.read(keyOf('one', throwing))).toBeUndefined()
        expect(aside).toMatchObject([{ fault: 'the migration from version 1 failed: no price list' }])
        expect((await store.list(moduleSetAside)).records).toHaveLength(1)
      })
    })

    describe('the fence of a world', () => {
      it('refuses writes of an earlier holder with lease-lost', async () => {
        const write = () => [putWrite(moduleRecords, systemIds.uuid(), { version: 1, value: apples })]
        const earlier = await raiseDataFence(store, 'world', 1)
        await earlier.commit(write(), 0)
        const later = await raiseDataFence(store, 'world', 2)
        for (const lane of [0, 3, 7]) {
          await expect(earlier.commit(write(), lane)).rejects.toMatchObject({ slug: 'lease-lost' })
          await later.commit(write(), lane)
        }
        await expect(raiseDataFence(store, 'world', 1)).rejects.toMatchObject({ slug: 'lease-lost' })
        await (await raiseDataFence(store, 'other', 1)).commit(write(), 0)
      })

      it('reports a failed precondition as conflict while the lease is held', async () => {
        const held = await raiseDataFence(store, 'world', 1)
        const write = putWrite(moduleRecords, 'x', { version: 1, value: apples }, { ifVersion: 'another' })
        await expect(held.commit([write], 0)).rejects.toMatchObject({ kind: 'conflict', slug: 'conflict' })
      })
    })
  })
}
