import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { createAuditEntry } from '../../../../../shared/domain/audit/audit-entry.ts'
import type { AuditEntry, AuditQuery } from '../../../../../shared/domain/audit/audit-log.ts'
import { holdTally, totalBytes } from '../../../../../shared/domain/audit/retention/audit-tally.ts'
import { pruneAudit } from '../../../../../shared/domain/audit/retention/prune-audit.ts'
import { createStoreAuditLog } from '../../../../../shared/domain/audit/store-audit-log.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createTurns } from '../../../../../shared/kernel/turns.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import { createCollection, type Store } from '../../../../../shared/platform/storage/store.ts'
import { type ContractOptions, itUnless } from '../../../../contracts/brief.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../support/dynamodb/dynamodb.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const anyRecord = createCollection('audit', Type.Unknown())
const roomy = { days: 3650, maxMiB: 1024 }

const openLog = (store: Store) => {
  const clock = createFixedClock()
  const log = createStoreAuditLog(store)
  const entryOf = ({
    actor = 'admin@example.com',
    target = 'a@example.com',
    requestId = 'r',
    bytes = 10,
    action = 'account.update',
    verified = true,
  } = {}): AuditEntry => {
    const change = { action, target, before: null, after: 'x'.repeat(bytes) }
    return createAuditEntry({ clock, ids: systemIds }, { email: actor, via: 'http', requestId, verified }, change)
  }
  const write = async (parts: Parameters<typeof entryOf>[0] & { readonly afterMs?: number } = {}) => {
    clock.advance(parts.afterMs ?? 1)
    const entry = entryOf(parts)
    await log.append([entry])
    return entry.id
  }
  const prune = (
    limits: { readonly days: number; readonly maxMiB: number },
    { on = store, isOver = (): boolean => false } = {},
  ) => pruneAudit({ store: on, clock, turns: createTurns(), limits: () => limits, isOver })
  const idsOf = async (filter: Partial<AuditQuery> = {}) =>
    (await log.listEntries({ limit: 200, ...filter })).entries.map(({ id }) => id).toReversed()
  const records = async () => (await store.list(anyRecord, { limit: 1000 })).records.length
  const tally = async () => (await holdTally(store)).read()
  return { clock, log, entryOf, write, prune, idsOf, records, tally, store }
}

type OpenStore = () => Promise<{ readonly store: Store; readonly dispose: () => Promise<void> }>

const describePruning = (name: string, openStore: OpenStore, { isBrief = false }: ContractOptions = {}): void =>
  describe(`the audit log in ${name}`, () => {
    const also = itUnless(isBrief)
    let dispose: () => Promise<void>
    afterEach(() => dispose())
    const open = async () => {
      const opened = await openStore()
      dispose = opened.dispose
      return openLog(opened.store)
    }

    it('removes only entries older than its days, under every filter', async () => {
      const { write, prune, idsOf, records } = await open()
      const old = [await write(), await write({ actor: 'other@example.com', afterMs: dayMs })]
      const retained = [await write({ afterMs: 6 * dayMs }), await write({ actor: 'other@example.com', bytes: 20_000 })]
      await write({ afterMs: 3.5 * dayMs, target: 'z' })
      expect(await prune({ days: 10, maxMiB: 1024 })).toBe(1)
      expect(await prune({ days: 9, maxMiB: 1024 })).toBe(1)
      expect(await prune({ days: 9, maxMiB: 1024 })).toBe(0)
      for (const filter of [{}, { requestId: 'r' }]) expect(await idsOf(filter)).toEqual([...retained, expect.any(String)])
      expect(await idsOf({ actor: 'other@example.com' })).toEqual(retained.slice(1))
      expect(await idsOf({ target: 'a@example.com' })).toEqual(retained)
      expect(await idsOf()).not.toContain(old[0])
      expect(await records()).toBe(3 * 4)
    })

    also('removes a grouped entry under every request and target', async () => {
      const { log, clock, entryOf, prune, records, idsOf } = await open()
      for (let index = 0; index < 15; index += 1)
        await log.appendGrouped(entryOf({ requestId: `r-${index}`, target: `t-${index % 2}`, bytes: 1000 }))
      const [id] = await idsOf()
      for (const filter of [{}, { requestId: 'r-14' }, { target: 't-0' }, { target: 't-1' }])
        expect(await idsOf(filter)).toEqual([id])
      expect(await records()).toBe(4 + 14 + 1)
      clock.advance(2 * dayMs)
      expect(await prune({ days: 1, maxMiB: 1 })).toBe(1)
      expect(await records()).toBe(0)
    })

    also('removes the oldest above the size limit, but none younger than an hour', async () => {
      const { write, prune, idsOf, tally } = await open()
      const ids: string[] = []
      // One complete entry and three cut ones: about 100 kB each.
      for (let index = 0; index < 30; index += 1) ids.push(await write({ bytes: 100_000, afterMs: 10 * minuteMs }))
      // The last seven are from the last hour. Of the 23 before, ten fit into a MiB.
      expect(await prune({ days: 365, maxMiB: 1 })).toBe(13)
      expect(await idsOf()).toEqual(ids.slice(13))
      expect(totalBytes((await tally()).days)).toBeLessThan(2 ** 20)
      for (let index = 0; index < 5; index += 1) await write({ bytes: 500_000, afterMs: minuteMs })
      const young = (await idsOf()).slice(-5)
      expect(await prune({ days: 1, maxMiB: 1 })).toBeLessThanOrEqual(16)
      expect((await idsOf()).slice(-5)).toEqual(young)
    })

    also('removes unproven entries before any entry of an administrator', async () => {
      const { write, prune, idsOf, tally, store, clock } = await open()
      const flood = async (times: number) => {
        for (let index = 0; index < times; index += 1) {
          await write({ bytes: 20_000, actor: 'newcomer@example.com', verified: false })
          await write({ bytes: 20_000, actor: 'system', action: 'account.guessed' })
        }
      }
      const admin: string[] = []
      for (let index = 0; index < 8; index += 1) {
        admin.push(await write({ bytes: 100_000 }))
        await flood(5)
      }
      clock.advance(2 * hourMs)
      await prune({ days: 365, maxMiB: 1 })
      expect((await idsOf({ actor: 'admin@example.com' })).length).toBe(admin.length)
      expect(totalBytes((await tally()).unprovenDays)).toBeLessThanOrEqual(2 ** 18)
      expect(totalBytes((await tally()).unprovenDays)).toBeGreaterThan(0)
      // The entries of administrators nearly reach the limit, so hardly any unproven entry stays.
      for (let index = 0; index < 2; index += 1) admin.push(await write({ bytes: 100_000 }))
      await flood(5)
      clock.advance(2 * hourMs)
      await prune({ days: 365, maxMiB: 1 })
      expect(await idsOf({ actor: 'admin@example.com' })).toEqual(admin)
      expect((await idsOf()).length).toBeLessThanOrEqual(admin.length + 1)
      // A count from scratch gives the same.
      const counted = await tally()
      await store.delete(createCollection('audit-tallies', Type.Unknown()), 'tally')
      await prune(roomy)
      expect(await tally()).toMatchObject({ days: counted.days, unprovenDays: counted.unprovenDays })
    })

    also('keeps unproven entries in at most a quarter of the limit, the newest', async () => {
      const { write, prune, idsOf, clock } = await open()
      const ids: string[] = []
      for (let index = 0; index < 30; index += 1) ids.push(await write({ bytes: 20_000, verified: false }))
      clock.advance(2 * hourMs)
      await prune({ days: 365, maxMiB: 1 })
      const retainedIds = await idsOf()
      expect(retainedIds).toEqual(ids.slice(-retainedIds.length))
      expect(retainedIds.length).toBeGreaterThan(5)
      expect(retainedIds.length).toBeLessThan(13)
    })

    also('does not interrupt a reader that pages through it', async () => {
      const { log, write, prune, clock } = await open()
      const ids: string[] = []
      for (let index = 0; index < 30; index += 1) ids.push(await write({ afterMs: hourMs }))
      clock.advance(dayMs)
      const filter = { limit: 10, actor: 'admin@example.com' }
      const first = await log.listEntries(filter)
      await prune({ days: 2, maxMiB: 1024 })
      const { nextCursor = '' } = first
      const second = await log.listEntries({ ...filter, cursor: nextCursor })
      const listed = [...first.entries, ...second.entries].map(({ id }) => id)
      expect(listed).toEqual(ids.slice(-listed.length).toReversed())
      expect(second.nextCursor === undefined || listed.length === 20).toBe(true)
      // The entry before the cursor is gone too.
      clock.advance(30 * dayMs)
      await prune({ days: 2, maxMiB: 1024 })
      expect(await log.listEntries({ ...filter, cursor: nextCursor })).toEqual({ entries: [] })
    })

    it('is completed by the next pass after a process was killed', async () => {
      const { store, write, prune, idsOf, tally, records, clock } = await open()
      const ids: string[] = []
      for (let index = 0; index < 50; index += 1) ids.push(await write({ bytes: 50_000 }))
      clock.advance(2 * hourMs)
      const made: Promise<unknown>[] = []
      const dying: Store = {
        ...store,
        commit: async (writes) => {
          if (made.length === 7) throw new AppError('unavailable', 'service-unavailable', 'killed')
          const commit = store.commit(writes)
          made.push(commit)
          return commit
        },
      }
      await expect(prune({ days: 365, maxMiB: 1 }, { on: dying })).rejects.toThrow('killed')
      await Promise.all(made)
      expect(await idsOf()).toHaveLength(43)
      await prune({ days: 365, maxMiB: 1 })
      const retainedIds = await idsOf()
      expect(retainedIds).toEqual(ids.slice(-retainedIds.length))
      expect(await records()).toBe(4 * retainedIds.length)
      const counted = totalBytes((await tally()).days)
      expect(counted).toBeLessThanOrEqual(2 ** 20)
      // A count from scratch gives the same.
      await store.delete(createCollection('audit-tallies', Type.Unknown()), 'tally')
      await prune(roomy)
      expect(totalBytes((await tally()).days)).toBe(counted)
    })

    it('is pruned once by several processes at once', async () => {
      const { store, write, prune, idsOf, tally, clock } = await open()
      const ids: string[] = []
      for (let index = 0; index < 60; index += 1) ids.push(await write({ bytes: 50_000 }))
      clock.advance(2 * hourMs)
      const gone = await Promise.all([1, 2, 3].map(() => prune({ days: 365, maxMiB: 1 })))
      await prune({ days: 365, maxMiB: 1 })
      const retainedIds = await idsOf()
      expect(retainedIds).toEqual(ids.slice(-retainedIds.length))
      expect(retainedIds.length).toBeGreaterThan(15)
      expect(Math.max(...gone)).toBeGreaterThan(0)
      const counted = totalBytes((await tally()).days)
      await store.delete(createCollection('audit-tallies', Type.Unknown()), 'tally')
      await prune(roomy)
      expect(totalBytes((await tally()).days)).toBe(counted)
    })
  })

describePruning('memory', async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
})

describePruning('LMDB', async () => {
  const dir = await createTempDir()
  const store = createLmdbStore({ path: join(dir.path, 'records'), ids: systemIds })
  const dispose = async () => {
    await store.close()
    await dir.remove()
  }
  return { store, dispose }
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  }, 180_000)
  afterAll(() => server.stop())
  describePruning(
    'DynamoDB',
    async () => {
      const dynamo = await openDynamo(server.endpoint)
      const store = createDynamoStore({ dynamo, ids: systemIds })
      return { store, dispose: async () => dynamo.close() }
    },
    { isBrief: true },
  )
})

describe('pruning the audit log', () => {
  it('recognizes unproven entries without a mark, and counts uncounted ones', async () => {
    const { log, write, prune, idsOf, clock, store } = openLog(createMemoryStore())
    const admin = await write({ bytes: 200_000 })
    for (let index = 0; index < 60; index += 1) {
      clock.advance(1)
      const self = { email: `new${index}@example.com`, via: 'http', requestId: 'r' } as const
      const change = { action: 'account.create', target: self.email, before: null, after: 'x'.repeat(20_000) }
      const { unproven, ...entry } = createAuditEntry({ clock, ids: systemIds }, self, change)
      expect(unproven).toBe(true)
      await log.append([entry])
    }
    await store.put(createCollection('audit-tallies', Type.Unknown()), 'tally', {
      countedUpTo: '9999',
      prunedUpTo: '',
      days: { '2026-01-01': 5 },
    })
    clock.advance(2 * hourMs)
    expect(await prune({ days: 365, maxMiB: 1 })).toBeGreaterThan(40)
    expect(await idsOf()).toContain(admin)
  })

  it('keeps the newest entries within the limit, with any sizes and times', async () => {
    const entry = fc.record({
      bytes: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1000, max: 60_000 })),
      afterMs: fc.oneof(fc.integer({ min: 1, max: 5 * minuteMs }), fc.integer({ min: 1, max: 2 * dayMs })),
    })
    const limits = fc.record({ days: fc.integer({ min: 1, max: 20 }), maxMiB: fc.integer({ min: 1, max: 3 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 90 }), limits, async (entries, { days, maxMiB }) => {
        const { clock, write, prune, idsOf, tally, store } = openLog(createMemoryStore())
        const ids: string[] = []
        for (const [at, one] of entries.entries()) {
          ids.push(await write(one))
          if (at % 40 === 39) await prune({ days, maxMiB })
        }
        await prune({ days, maxMiB })
        const retainedIds = await idsOf()
        expect(retainedIds).toEqual(ids.slice(ids.length - retainedIds.length))
        const [tooOld, young] = [days * dayMs, hourMs].map((ms) => new Date(clock.now() - ms).toISOString())
        expect(retainedIds.filter((id) => id < (tooOld ?? ''))).toEqual([])
        expect(retainedIds).toEqual(expect.arrayContaining(ids.filter((id) => id >= (young ?? ''))))
        expect(totalBytes((await tally()).days)).toBeLessThanOrEqual(maxMiB * 2 ** 20)
        // A count from scratch gives the same.
        const counted = await tally()
        await store.delete(createCollection('audit-tallies', Type.Unknown()), 'tally')
        await prune(roomy)
        expect((await tally()).days).toEqual(counted.days)
      }),
      { numRuns: 60 },
    )
  }, 180_000)

  it('yields between slices, and stops when it is aborted', async () => {
    const { write, prune, idsOf, clock } = openLog(createMemoryStore())
    for (let index = 0; index < 100; index += 1) await write()
    clock.advance(2 * dayMs)
    let calls = 0
    let turns = 0
    const count = () => {
      turns += 1
      if (calls < 1000) setImmediate(count)
    }
    setImmediate(count)
    await prune({ days: 1, maxMiB: 1 }, { isOver: () => ++calls > 8 })
    calls = 1000
    expect(turns).toBeGreaterThanOrEqual(8)
    const left = await idsOf()
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(100)
    await prune({ days: 1, maxMiB: 1 })
    expect(await idsOf()).toEqual([])
  })

  it('removes an unreadable entry', async () => {
    const { store, write, prune, clock, records } = openLog(createMemoryStore())
    await store.put(anyRecord, 'all/2025-01-01T00:00:00.000Z-broken', { actor: 'a' })
    await write()
    clock.advance(2 * dayMs)
    expect(await prune({ days: 1, maxMiB: 1 })).toBe(2)
    expect(await records()).toBe(0)
  })
})
