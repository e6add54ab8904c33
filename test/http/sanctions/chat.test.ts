import { describe, expect, it } from '@jest/globals'
import { batchId, chatBatches } from '../../../shared/domain/chat/chat-batch.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/chat'
const slot = Date.parse('2026-11-27T12:00:00.000Z')

describe.each(doors)('the chat log through %s', (_name, openDoor) => {
  const open = async () => {
    const store = createMemoryStore()
    const opened = await openDoor({ as: 'admin', deps: { store } })
    const by = opened.people.player.playerId
    const lines = [
      { ms: 0, channel: 'global', from: 'player', text: 'Hello all', by },
      { ms: 1_000, channel: 'trade', from: 'Server', text: 'Wool for sale' },
    ]
    await store.put(chatBatches, batchId(slot, 'node', 1), { world: 'default', lines })
    return { ...opened, by }
  }

  it('lists lines newest first, filtered and page by page', async () => {
    const { get, by } = await open()
    const hello = { at: '2026-11-27T12:00:00.000Z', world: 'default', channel: 'global', from: 'player', text: 'Hello all', by }
    const wool = { at: '2026-11-27T12:00:01.000Z', world: 'default', channel: 'trade', from: 'Server', text: 'Wool for sale' }
    expect(await get(path)).toMatchObject({ status: 200, body: { lines: [wool, hello], keepDays: 7 } })
    for (const player of [by, by.toUpperCase(), 'player@example.com', 'PLAYER'])
      expect((await get(`${path}?player=${encodeURIComponent(player)}`)).body.lines).toEqual([hello])
    for (const query of ['q=wool', 'from=2026-11-27T12:00:01Z', 'world=default&q=SALE'])
      expect((await get(`${path}?${query}`)).body.lines).toEqual([wool])
    for (const query of ['to=2026-11-27T12:00:00.500Z', 'from=2026-11-27T13:00:00%2B01:00&q=all'])
      expect((await get(`${path}?${query}`)).body.lines).toEqual([hello])
    expect((await get(`${path}?world=other`)).body).toEqual({ lines: [], keepDays: 7 })
    const { nextCursor, ...page } = (await get(`${path}?limit=1`)).body
    expect(page).toEqual({ lines: [wool], keepDays: 7 })
    expect((await get(`${path}?limit=1&cursor=${nextCursor}`)).body).toEqual({ lines: [hello], keepDays: 7 })
  })

  it('refuses bad input and callers without the permission', async () => {
    const { get, request } = await open()
    for (const query of ['limit=0', 'limit=201', 'cursor=x', 'q=', `q=${'x'.repeat(101)}`, 'from=yesterday', 'other=1'])
      expect((await get(`${path}?${query}`)).status).toBe(400)
    expect((await get(`${path}?from=2026-11-27T12:00:00Z&to=2026-11-27T11:00:00Z`)).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/to' }],
    })
    expect(await get(`${path}?player=nobody@example.com`)).toMatchObject({
      status: 404,
      body: { errors: [{ pointer: '/player' }] },
    })
    expect((await request('GET', path, { headers: { authorization: '' } })).status).toBe(401)
    const player = await openDoor({ as: 'player' })
    expect(await player.get(path)).toMatchObject({ status: 403, body: { type: expect.stringContaining('missing-permission') } })
  })
})
