import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { compileData } from '../../../shared/domain/modules/data/data-kind.ts'
import {
  createModuleData,
  modulePlayers,
  moduleRecords,
  moduleStates,
  playerDataId,
  recordId,
  stateId,
} from '../../../shared/domain/modules/data/module-data.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { doors } from '../doors.ts'

const base = '/api/admin/modules/shop'
const slugOf = ({ body }: { body: { type: string } }) => body.type.replace('/problems/', '')
const apples = { item: 'apple', count: 2 }

describe.each(doors)('stored values of modules through %s', (_name, open) => {
  const openShop = async () => {
    const door = await open({ as: 'admin', configs: { modules: { modules: { shop: {} } } } })
    const seed = async (record: string, id: string, value: unknown) =>
      door.store.put(moduleRecords, recordId('shop', record, id), { version: 2, value })
    const lastEntry = async () => (await door.deps.audit.listEntries({ limit: 1 })).entries[0]
    /** A moment later: entries of the audit log are in the order of time. */
    const later = <A extends readonly unknown[], R>(act: (...inputs: A) => R) => {
      return (...inputs: A): R => {
        door.clock.advance(1)
        return act(...inputs)
      }
    }
    return {
      ...door,
      put: later(door.put),
      del: later(door.del),
      seed,
      lastEntry,
      undo: later(async () => door.post(`/api/admin/audit/${(await lastEntry())?.id}/undo`, undefined)),
    }
  }

  it('are listed by kind, prefix and page', async () => {
    const { seed, get } = await openShop()
    for (const id of ['2026/1', '2026/2', '2025/9']) await seed('sales', id, apples)
    await seed('items', 'apple', { price: 3 })
    const { body } = await get(`${base}/records`)
    expect(body.records.map(({ record, id }: { record: string; id: string }) => `${record} ${id}`)).toEqual([
      'items apple',
      'sales 2025/9',
      'sales 2026/1',
      'sales 2026/2',
    ])
    expect(body.records[0]).toEqual({ record: 'items', id: 'apple', value: { price: 3 }, version: expect.any(String) })
    const page = (await get(`${base}/records?record=sales&prefix=2026&limit=1`)).body
    expect(page.records).toMatchObject([{ id: '2026/1', value: apples }])
    const rest = (await get(`${base}/records?record=sales&prefix=2026&limit=1&cursor=${page.nextCursor}`)).body
    expect(rest).toMatchObject({ records: [{ id: '2026/2' }] })
    const refused = await get(`${base}/records?prefix=2026`)
    expect([refused.status, refused.body.errors]).toEqual([400, [{ pointer: '/prefix', message: 'needs `record`' }]])
  })

  it('are written, read and deleted by id, which may have slashes', async () => {
    const { get, put, del } = await openShop()
    const path = `${base}/records/sales/2026/1`
    expect((await get(path)).status).toBe(404)
    expect(await put(path, { value: apples })).toMatchObject({ status: 200, body: { value: apples, version: 1 } })
    expect(await get(path)).toMatchObject({ status: 200, body: { value: apples, version: 1 } })
    expect((await del(path)).status).toBe(204)
    expect((await del(path)).status).toBe(404)
  })

  it('are listed with the reason after they were set aside, a page at a time', async () => {
    const { get, seed, store, people, clock } = await openShop()
    const { playerId } = people.player
    await seed('sales', '2026/1', { item: 7 })
    await store.put(modulePlayers, playerDataId('shop', playerId), { version: 1, value: { coins: 'ten' } })
    await store.put(moduleStates, stateId('shop', 'north'), { version: 1, value: 'odd' })
    await store.put(moduleRecords, recordId('shop-2', 'sales', '1'), { version: 1, value: 'odd' })
    const data = createModuleData({ store, clock, ids: systemIds, report: () => undefined })
    const kind = compileData({ schema: Type.Object({ coins: Type.Integer() }), version: 2 })
    for (const [collection, id] of [
      [moduleRecords, recordId('shop', 'sales', '2026/1')],
      [moduleRecords, recordId('shop-2', 'sales', '1')],
      [modulePlayers, playerDataId('shop', playerId)],
      [moduleStates, stateId('shop', 'north')],
    ] as const)
      await data.read({ collection, id, kind })
    const aside = { at: expect.any(String), fault: expect.stringContaining('does not fit'), version: 1 }
    const values = [
      { of: 'player', id: playerId, ...aside, value: { coins: 'ten' } },
      { of: 'record', record: 'sales', id: '2026/1', ...aside, version: 2, value: { item: 7 } },
      { of: 'state', id: 'north', ...aside, value: 'odd' },
    ]
    expect((await get(`${base}/set-aside`)).body).toEqual({ values })
    const found: unknown[] = []
    let query: string | undefined = '?limit=1'
    while (query !== undefined) {
      const { body }: { body: { values: unknown[]; nextCursor?: string } } = await get(`${base}/set-aside${query}`)
      expect(body.values.length).toBeLessThanOrEqual(1)
      found.push(...body.values)
      query = body.nextCursor && `?limit=1&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(found).toEqual(values)
    expect((await get(`${base}/set-aside?cursor=7`)).status).toBe(400)
    expect((await get('/api/admin/modules/other/set-aside')).status).toBe(404)
  })

  it('are refused for a module that the server does not have', async () => {
    const { get, put, seed, store } = await openShop()
    const other = '/api/admin/modules/other'
    expect((await get(`${other}/records`)).status).toBe(404)
    expect((await put(`${other}/records/sales/1`, { value: 1 })).status).toBe(404)
    expect((await put(`${other}/players/x`, { data: {} })).status).toBe(404)
    // Records that a removed module left can be read and deleted.
    await seed('sales', '1', apples)
    await store.put(moduleRecords, recordId('other', 'sales', '1'), { version: 1, value: 1 })
    expect((await get(`${other}/records`)).body.records).toHaveLength(1)
  })

  it('honour If-Match', async () => {
    const { request, put } = await openShop()
    const path = `${base}/records/sales/1`
    const first = await put(path, { value: apples })
    await put(path, { value: { item: 'pear', count: 1 } })
    const headers = { 'if-match': first.headers.etag ?? '' }
    expect((await request('PUT', path, { body: { value: apples }, headers })).status).toBe(412)
    expect((await request('DELETE', path, { headers })).status).toBe(412)
  })

  it('refuse a value over 64 KiB and a body of another form', async () => {
    const { put } = await openShop()
    const path = `${base}/records/sales/1`
    expect((await put(path, { value: 'x'.repeat(65_600) })).status).toBe(413)
    expect((await put(path, { value: 1, version: 3 })).status).toBe(400)
    expect((await put(path, {})).status).toBe(400)
  })

  it('audit each write with the previous value', async () => {
    const { put, seed, lastEntry } = await openShop()
    await seed('sales', '1', apples)
    await put(`${base}/records/sales/1`, { value: { item: 'pear', count: 1 } })
    expect(await lastEntry()).toMatchObject({
      action: 'module-record.update',
      target: 'shop/records/sales/1',
      actor: 'admin@example.com',
      before: { version: 2, value: apples },
      after: { version: 2, value: { item: 'pear', count: 1 } },
    })
  })

  it('can be undone: a change, a deletion and a creation', async () => {
    const { put, get, del, seed, undo } = await openShop()
    const path = `${base}/records/sales/1`
    await seed('sales', '1', apples)
    await put(path, { value: { item: 'pear', count: 1 } })
    expect(await undo()).toMatchObject({ status: 200, body: { restored: apples } })
    expect((await get(path)).body).toEqual({ value: apples, version: 2 })
    await del(path)
    expect((await undo()).status).toBe(200)
    expect((await get(path)).body).toEqual({ value: apples, version: 2 })
    await put(`${base}/records/sales/2`, { value: apples })
    expect(await undo()).toMatchObject({ status: 200, body: { restored: null } })
    expect((await get(`${base}/records/sales/2`)).status).toBe(404)
  })

  it('are not undone after a later change', async () => {
    const { put, undo, seed, store } = await openShop()
    await put(`${base}/records/sales/1`, { value: apples })
    await seed('sales', '1', { item: 'pear', count: 1 })
    expect(slugOf(await undo())).toBe('changed-since')
    expect((await store.get(moduleRecords, recordId('shop', 'sales', '1')))?.value).toMatchObject({
      value: { item: 'pear', count: 1 },
    })
  })

  it('of a player who is not connected are read, written, deleted and restored', async () => {
    const { get, put, del, undo, store, people } = await openShop()
    const path = `${base}/players/${people.player.playerId}`
    expect((await get(path)).status).toBe(404)
    await store.put(modulePlayers, playerDataId('shop', people.player.playerId), { version: 3, value: { coins: 7 } })
    expect((await get(path)).body).toEqual({ data: { coins: 7 }, version: 3 })
    expect((await put(path, { data: { coins: 70 } })).body).toEqual({ data: { coins: 70 }, version: 3 })
    expect((await undo()).body.restored).toEqual({ coins: 7 })
    expect((await del(path)).status).toBe(204)
    expect((await undo()).body.restored).toEqual({ coins: 7 })
    expect((await get(path)).body).toEqual({ data: { coins: 7 }, version: 3 })
  })

  it('need admin.modules.read and admin.modules.write', async () => {
    const player = await open({ as: 'player' })
    for (const path of ['', '/shop/records', '/shop/set-aside', '/shop/records/sales/1', '/shop/players/x'])
      expect((await player.get(`/api/admin/modules${path}`)).status).toBe(403)
    expect((await player.put(`${base}/records/sales/1`, { value: 1 })).status).toBe(403)
    expect((await player.del(`${base}/players/x`)).status).toBe(403)
    expect((await player.post(`${base}/reload`, {})).status).toBe(403)
  })
})

describe.each(doors)('modules without a node, through %s', (_name, open) => {
  it('are an empty list', async () => {
    const { get } = await open({ as: 'admin' })
    expect(await get('/api/admin/modules')).toMatchObject({ status: 200, body: { modules: [] } })
  })

  it('answer messages and reloads with 503', async () => {
    const { post, deps } = await open({ as: 'admin' })
    await deps.worlds.ensureActive()
    expect((await post('/api/modules/shop/buy', { item: 'apple' })).status).toBe(503)
    expect((await post(`${base}/reload`, {})).status).toBe(503)
    const player = await open({ as: 'nobody' })
    expect((await player.post('/api/modules/shop/buy', {})).status).toBe(401)
  })
})
