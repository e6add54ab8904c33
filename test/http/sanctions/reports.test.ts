import { describe, expect, it } from '@jest/globals'
import { doors } from '../doors.ts'

const path = '/api/admin/reports'
const place = { world: 'default', x: 1, y: 64, z: -3 }
const lastChat = [{ channel: 'global', from: 'Bob', text: 'hello' }]

describe.each(doors)('reports through %s', (_name, open) => {
  it('are listed newest first, closed with a note and reopened, each audited completely', async () => {
    const { deps, people, get, put } = await open({ as: 'admin' })
    const first = await deps.reports.file(people.player, { text: 'He broke my house', about: 'bob@example.com', place, lastChat })
    const second = await deps.reports.file(people.player, { text: 'Again', place, lastChat: [] })
    expect((await get(path)).body).toEqual({
      reports: [second, first],
      // Bob has no account.
      names: { 'player@example.com': 'player' },
    })
    expect(first).toMatchObject({ by: 'player@example.com', about: 'bob@example.com', place, lastChat, state: 'open' })
    const closed = await put(`${path}/${first.id}`, { state: 'closed', note: 'warned' })
    expect(closed).toMatchObject({
      status: 200,
      body: { ...first, state: 'closed', note: 'warned', closedBy: 'admin@example.com' },
    })
    expect((await get(`${path}?state=open`)).body.reports).toEqual([second])
    expect((await get(`${path}?state=closed`)).body.reports).toEqual([closed.body])
    const page = (await get(`${path}?limit=1`)).body
    expect((await get(`${path}?limit=1&cursor=${page.nextCursor}`)).body.reports).toEqual([closed.body])
    expect((await put(`${path}/${first.id}`, { state: 'open' })).body).toEqual({ ...first, note: 'warned' })
    const { entries } = await deps.audit.listEntries({ limit: 9, target: first.id })
    const change = { action: 'report.update', before: first, after: closed.body }
    expect(entries).toContainEqual(expect.objectContaining(change))
  })

  it('are refused with a clear error', async () => {
    const { put, get } = await open({ as: 'admin' })
    expect((await put(`${path}/nothing`, { state: 'closed' })).status).toBe(404)
    expect((await put(`${path}/nothing`, { state: 'done' })).status).toBe(400)
    expect((await get(`${path}?state=done`)).status).toBe(400)
    expect((await get(`${path}?cursor=x`)).status).toBe(400)
  })
})
