import { beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createAuditEntry } from '../../../../shared/domain/audit/audit-entry.ts'
import { AuditEntry, type AuditLog, type AuditQuery } from '../../../../shared/domain/audit/audit-log.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createCollection, type Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedClock, type FixedClock } from '../../../support/time/fixed-clock.ts'

type Filters = Pick<AuditQuery, 'actor' | 'target' | 'requestId'>

describe('the audit log in a store', () => {
  let clock: FixedClock
  let store: Store
  let log: AuditLog
  const entryOf = ({ actor = 'admin@example.com', target = 'a@example.com', requestId = 'r-1' }: Filters = {}): AuditEntry => {
    clock.advance(1)
    const change = { action: 'account.update', target, before: { n: 1 }, after: { n: 2 } }
    return createAuditEntry({ clock, ids: systemIds }, { email: actor, via: 'http', requestId }, change)
  }
  /** Collects every entry of a query, page by page. */
  const walk = async (query: AuditQuery): Promise<AuditEntry[]> => {
    const page = await log.listEntries(query)
    expect(page.entries.length).toBeLessThanOrEqual(query.limit)
    if (page.nextCursor === undefined) return [...page.entries]
    expect(page.entries).toHaveLength(query.limit)
    return [...page.entries, ...(await walk({ ...query, cursor: page.nextCursor }))]
  }

  beforeEach(() => {
    clock = createFixedClock()
    store = createMemoryStore()
    log = createStoreAuditLog(store)
  })

  it('is empty at first', async () => {
    expect(await log.listEntries({ limit: 10 })).toEqual({ entries: [] })
  })

  it('lists complete entries, newest first', async () => {
    const entries = [entryOf(), entryOf(), entryOf()]
    await log.append(entries.slice(0, 2))
    await log.append(entries.slice(2))
    await log.append([])
    expect(await log.listEntries({ limit: 10 })).toEqual({ entries: entries.toReversed() })
  })

  it('filters exactly by actor, target and request, alone and combined', async () => {
    const entries = ['x', 'y'].flatMap((actor) =>
      ['x', 'x/y'].flatMap((target) => ['r1', 'r2'].map((requestId) => entryOf({ actor, target, requestId }))),
    )
    await log.append(entries)
    const filters: Filters[] = ['x', 'y', undefined].flatMap((actor) =>
      ['x', 'x/y', undefined].flatMap((target) =>
        ['r1', 'r2', undefined].map((requestId) => ({
          ...(actor === undefined ? {} : { actor }),
          ...(target === undefined ? {} : { target }),
          ...(requestId === undefined ? {} : { requestId }),
        })),
      ),
    )
    for (const filter of filters) {
      const expected = entries.filter((entry) =>
        Object.entries(filter).every(([key, value]) => Reflect.get(entry, key) === value),
      )
      expect(await log.listEntries({ limit: 200, ...filter })).toEqual({ entries: expected.toReversed() })
    }
  })

  it('lists a long entry cut under every filter, and finds it whole', async () => {
    const chunks = Array.from({ length: 4096 }, (_, cx) => ({ cx, cz: 0 }))
    const long = { ...entryOf({ actor: 'a', target: 'z', requestId: 'r' }), before: { name: 'Arena', chunks }, after: null }
    const short = entryOf({ actor: 'a', target: 'z', requestId: 'r' })
    await log.append([long, short])
    await log.append([long])
    const cut = { ...long, before: { name: 'Arena', chunks: { cut: expect.any(Number) } }, cut: expect.any(Number) }
    for (const filter of [{}, { actor: 'a' }, { target: 'z' }, { requestId: 'r' }, { actor: 'a', requestId: 'r' }])
      expect(await log.listEntries({ limit: 200, ...filter })).toEqual({ entries: [short, cut] })
    expect(await log.find(long.id)).toEqual(long)
    expect(await log.find(short.id)).toEqual(short)
    await expect(log.append([{ ...long, before: { name: 'Other', chunks } }])).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('cuts older entries, which are stored whole, in lists', async () => {
    const old = { ...entryOf(), before: 'a'.repeat(100_000) }
    await store.put(createCollection('audit', AuditEntry), `all/${old.id}`, old)
    expect((await log.listEntries({ limit: 1 })).entries).toEqual([{ ...old, before: { cut: 100_002 }, cut: expect.any(Number) }])
    expect(await log.find(old.id)).toEqual(old)
  })

  it('lists all entries of one request, of any length', async () => {
    const entries = Array.from({ length: 60 }, () => ({ ...entryOf({ requestId: 'r' }), after: 'b'.repeat(20_000) }))
    await log.append(entries)
    const listed = await walk({ limit: 7, requestId: 'r' })
    expect(listed.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toReversed())
    expect((await log.listEntries({ limit: 200, requestId: 'r' })).entries).toHaveLength(60)
  })

  it('finds nothing for a prefix of a name or an empty name', async () => {
    await log.append([entryOf({ actor: 'admin@example.com' })])
    for (const actor of ['admin@example.co', 'admin@example.com/', '', 'ADMIN@example.com'])
      expect(await log.listEntries({ limit: 10, actor })).toEqual({ entries: [] })
  })

  it('accepts names of any length and any characters', async () => {
    const name = `${'ü/'.repeat(2000)}\u0000😀`
    await log.append([entryOf({ actor: name, target: name, requestId: name })])
    expect((await log.listEntries({ limit: 1, actor: name, target: name, requestId: name })).entries).toHaveLength(1)
  })

  it('returns the entries of a time range under every filter, both ends included', async () => {
    const entries = Array.from({ length: 6 }, () => entryOf())
    await log.append(entries)
    const msOf = (index: number) => Date.parse(entries[index]?.at ?? '')
    const range = { fromMs: msOf(1), toMs: msOf(4) }
    const expected = entries.slice(1, 5).toReversed()
    for (const filter of [{}, { actor: 'admin@example.com' }, { target: 'a@example.com' }, { requestId: 'r-1' }])
      for (const limit of [1, 3, 200]) expect(await walk({ limit, ...filter, ...range })).toEqual(expected)
    expect(await walk({ limit: 2, fromMs: msOf(4) })).toEqual(entries.slice(4).toReversed())
    expect(await walk({ limit: 2, toMs: msOf(1) })).toEqual(entries.slice(0, 2).toReversed())
    expect(await walk({ limit: 2, fromMs: msOf(4), toMs: msOf(1) })).toEqual([])
    const far = Date.parse('+020000-01-01T00:00:00Z')
    expect(await walk({ limit: 200, fromMs: -far, toMs: far })).toHaveLength(6)
    expect(await walk({ limit: 200, fromMs: far })).toEqual([])
  })

  it('finds every word of a text in actor, action, target and name, in any order and case', async () => {
    const zone = { ...entryOf({ target: 'z-1' }), action: 'zone.update', after: { name: 'Market Square' } }
    const ban = { ...entryOf({ target: 'bob@example.com' }), action: 'sanction.create', after: { kind: 'ban', reason: 'grief' } }
    const merge: AuditEntry = {
      ...entryOf({ target: 'old@example.com' }),
      action: 'account.delete',
      mergedInto: 'new@example.com',
    }
    await log.append([zone, ban, merge])
    const found = async (text: string) => (await log.listEntries({ limit: 200, text })).entries
    for (const text of ['market', 'SQUARE zone', ' update  square ', 'z-1']) expect(await found(text)).toEqual([zone])
    expect(await found('ban bob')).toEqual([ban])
    expect(await found('NEW@')).toEqual([merge])
    expect(await found('admin')).toEqual([merge, ban, zone])
    for (const text of ['market ban', 'grief', '*']) expect(await found(text)).toEqual([])
    expect((await log.listEntries({ limit: 200, text: 'zone', target: 'z-1' })).entries).toEqual([zone])
  })

  it('reads at most 2,000 entries for a search, and continues from the cursor', async () => {
    const rare = { ...entryOf(), action: 'zone.create' }
    const rest = Array.from({ length: 2100 }, () => entryOf())
    await log.append([rare, ...rest])
    const { entries, nextCursor = '' } = await log.listEntries({ limit: 10, text: 'zone' })
    expect(entries).toEqual([])
    expect(await log.listEntries({ limit: 10, text: 'zone', cursor: nextCursor })).toEqual({ entries: [rare] })
  })

  it('returns no cursor when no match follows', async () => {
    await log.append([entryOf({ actor: 'other' }), entryOf(), entryOf({ target: 'b@example.com' })])
    expect(await log.listEntries({ limit: 1, actor: 'admin@example.com', target: 'a@example.com' })).not.toHaveProperty(
      'nextCursor',
    )
    expect(await log.listEntries({ limit: 2 })).toHaveProperty('nextCursor')
    expect(await log.listEntries({ limit: 3 })).not.toHaveProperty('nextCursor')
  })

  it('finds a few matches among more than a page of the index', async () => {
    const rare = [entryOf({ actor: 'rare' })]
    const rest = Array.from({ length: 450 }, () => entryOf())
    rare.push(entryOf({ actor: 'rare' }))
    await log.append([...rare, ...rest])
    expect(await walk({ limit: 1, actor: 'rare', target: 'a@example.com' })).toEqual(rare.toReversed())
  })

  it('continues from a cursor past entries added since', async () => {
    const entries = [entryOf(), entryOf(), entryOf()]
    await log.append(entries)
    const { nextCursor = '' } = await log.listEntries({ limit: 2 })
    await log.append([entryOf()])
    expect(await log.listEntries({ limit: 2, cursor: nextCursor })).toEqual({ entries: entries.slice(0, 1) })
  })

  it('appends an entry once for repeated calls, and no other under its id', async () => {
    const entry = entryOf()
    await log.append([entry])
    await log.append([entry, entryOf()])
    await expect(log.append([{ ...entry, after: { forged: true } }])).rejects.toMatchObject({ kind: 'conflict' })
    const { entries } = await log.listEntries({ limit: 10 })
    expect(entries).toHaveLength(2)
    expect(entries[1]).toEqual(entry)
  })

  it('keeps null for a missing state before or after', async () => {
    await log.append([{ ...entryOf(), before: undefined, after: undefined }])
    expect((await log.listEntries({ limit: 1 })).entries[0]).toMatchObject({ before: null, after: null })
  })

  it('throws unavailable when it cannot be written', async () => {
    await store.close()
    await expect(log.append([entryOf()])).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    { limit: 0 },
    { limit: 201 },
    { limit: 1.5 },
    { limit: 1, cursor: '' },
    { limit: 1, cursor: 'ä' },
    { limit: 1, cursor: 'AAAA' },
  ])('refuses the query %j', async (query) => {
    await expect(log.listEntries(query)).rejects.toMatchObject({ kind: 'invalid' })
  })

  const messageOf = (filters: Filters = {}, text = 'hello'): AuditEntry => ({
    ...entryOf(filters),
    action: 'player.message',
    before: null,
    after: { text },
  })

  it('groups the messages of a caller within ten seconds into one entry', async () => {
    const first = messageOf({ requestId: 'r-1' }, 'one')
    await log.appendGrouped(first)
    const later = [messageOf({ requestId: 'r-2' }, 'two'), messageOf({ requestId: 'r-2', target: 'b@example.com' }, 'three')]
    for (const entry of later) await log.appendGrouped(entry)
    const grouped = {
      ...first,
      count: 3,
      more: [
        { at: later[0]?.at, requestId: 'r-2', before: null, after: { text: 'two' } },
        { at: later[1]?.at, requestId: 'r-2', target: 'b@example.com', before: null, after: { text: 'three' } },
      ],
    }
    const filters = [
      {},
      { requestId: 'r-1' },
      { requestId: 'r-2' },
      { target: 'a@example.com' },
      { target: 'b@example.com' },
      { actor: 'admin@example.com', target: 'b@example.com', requestId: 'r-2' },
    ]
    for (const filter of filters) expect(await log.listEntries({ limit: 10, ...filter })).toEqual({ entries: [grouped] })
    expect(await log.listEntries({ limit: 10, requestId: 'r-2', target: 'c@example.com' })).toEqual({ entries: [] })
    expect(await log.find(first.id)).toEqual(grouped)
  })

  it('begins a new group after ten seconds, after 100 changes, and for another caller or action', async () => {
    await log.appendGrouped(messageOf())
    await log.appendGrouped(messageOf({ actor: 'other@example.com' }))
    await log.appendGrouped({ ...messageOf(), action: 'player.teleport' })
    await log.appendGrouped({ ...messageOf(), via: 'command' })
    clock.advance(10_000)
    for (let index = 0; index < 103; index += 1) await log.appendGrouped(messageOf())
    const counts = (await log.listEntries({ limit: 10 })).entries.map(({ count }) => count)
    expect(counts).toEqual([3, 100, undefined, undefined, undefined, undefined])
  })

  it('lists a long group without its changes, and finds it whole', async () => {
    for (let index = 0; index < 20; index += 1) await log.appendGrouped(messageOf({ requestId: `r-${index}` }, 'x'.repeat(500)))
    const { entries } = await log.listEntries({ limit: 10, requestId: 'r-19' })
    expect(entries).toMatchObject([{ count: 20, cut: expect.any(Number) }])
    expect(entries[0]).not.toHaveProperty('more')
    expect((await log.find(entries[0]?.id ?? ''))?.more).toHaveLength(19)
  })

  it('groups the messages of several processes at once, and loses none', async () => {
    const logs = [log, createStoreAuditLog(store), createStoreAuditLog(store)]
    const requests = Array.from({ length: 45 }, (_, index) => `r-${index}`)
    await Promise.all(requests.map(async (requestId, index) => logs[index % 3]?.appendGrouped(messageOf({ requestId }))))
    const { entries } = await log.listEntries({ limit: 50 })
    expect(entries.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(45)
    for (const requestId of requests) expect((await log.listEntries({ limit: 2, requestId })).entries).toHaveLength(1)
    expect(entries.length).toBeLessThan(5)
  })

  it('pages to each match once, with any entries, filters and page size', async () => {
    const name = fc.constantFrom('x', 'y', 'z/x')
    const names = fc.record({ actor: name, target: name, requestId: name })
    const filter = fc.record({ actor: name, target: name, requestId: name }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { maxLength: 40 }),
        filter,
        fc.integer({ min: 1, max: 12 }),
        async (made, wanted, limit) => {
          store = createMemoryStore()
          log = createStoreAuditLog(store)
          const entries = made.map(entryOf)
          await log.append(entries)
          const expected = entries.filter((entry) =>
            Object.entries(wanted).every(([key, value]) => Reflect.get(entry, key) === value),
          )
          expect(await walk({ limit, ...wanted })).toEqual(expected.toReversed())
        },
      ),
      { seed: 20_260_101, numRuns: 60 },
    )
  })
})
