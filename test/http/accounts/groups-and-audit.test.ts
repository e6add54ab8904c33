import { describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { doors } from '../doors.ts'

const routes = accountRoutes
const password = 'correct horse battery'

describe.each(doors)('GET /api/admin/groups through %s', (_name, open) => {
  it('lists active groups with own and inherited rules, and marks the default ones', async () => {
    const groups = {
      groups: [
        { name: 'player', permissions: ['world.build', 'command.who'], description: 'Everybody.' },
        { name: 'guard', permissions: ['command.kick', '-world.build'], inherits: ['player'] },
      ],
      defaultGroups: ['player'],
    }
    const { get } = await open({ routes, as: 'admin', configs: { groups } })
    expect(await get('/api/admin/groups')).toMatchObject({ status: 200 })
    expect((await get('/api/admin/groups')).body).toEqual({
      groups: [
        { name: 'admin', permissions: ['*'], inherits: [], effective: ['*'] },
        { name: 'player', permissions: ['world.build', 'command.who'], inherits: [], effective: ['command.who', 'world.build'] },
        {
          name: 'guard',
          permissions: ['command.kick', '-world.build'],
          inherits: ['player'],
          effective: ['-world.build', 'command.kick', 'command.who', 'world.build'],
        },
      ],
      defaultGroups: ['player'],
    })
  })

  it('lists a thousand groups completely, as JSON.stringify formats them', async () => {
    const permissions = Array.from({ length: 20 }, (_, index) => `command.c${index}`).sort()
    const named = Array.from({ length: 999 }, (_, index) => ({ name: `group${index}`, permissions, inherits: [] }))
    const { get } = await open({ routes, as: 'admin', configs: { groups: { groups: named, defaultGroups: [] } } })
    const { body } = await get('/api/admin/groups')
    const admin = { name: 'admin', permissions: ['*'], inherits: [], effective: ['*'] }
    const groups = [admin, ...named.map((group) => ({ ...group, effective: permissions }))]
    expect(JSON.stringify(body)).toBe(JSON.stringify({ groups, defaultGroups: [] }))
  })

  it('answers 400 to a query', async () => {
    const { get } = await open({ routes, as: 'admin' })
    expect((await get('/api/admin/groups?x=1')).status).toBe(400)
  })
})

describe.each(doors)('GET /api/admin/audit through %s', (_name, open) => {
  const write = async (opened: Awaited<ReturnType<typeof open>>) => {
    const step = async (requestId: string, change: (headers: Record<string, string>) => Promise<unknown>) => {
      await change({ 'x-request-id': requestId })
      opened.clock.advance(1000)
    }
    await step('req-1', (headers) => opened.post('/api/admin/users', { email: 'a@example.com', password }, headers))
    await step('req-2', (headers) => opened.put('/api/admin/users/a@example.com', { displayName: 'Ann' }, headers))
    await step('req-3', (headers) => opened.del('/api/admin/users/a@example.com', headers))
    await step('req-4', (headers) => opened.post('/api/admin/users', { email: 'b@example.com', password }, headers))
  }
  const idsOf = (body: { entries: { requestId: string }[] }) => body.entries.map(({ requestId }) => requestId)

  it('lists changes newest first with actor, target, time and request', async () => {
    const opened = await open({ routes, as: 'admin' })
    await write(opened)
    const { status, body } = await opened.get('/api/admin/audit')
    expect(status).toBe(200)
    expect(idsOf(body)).toEqual(['req-4', 'req-3', 'req-2', 'req-1'])
    expect(body.entries[2]).toEqual({
      id: expect.any(String),
      at: '2026-01-01T00:00:01.000Z',
      actor: 'admin@example.com',
      action: 'account.update',
      target: 'a@example.com',
      before: expect.objectContaining({ displayName: 'a' }),
      after: expect.objectContaining({ displayName: 'Ann' }),
      via: 'http',
      requestId: 'req-2',
    })
    expect(body).not.toHaveProperty('nextCursor')
  })

  it('has no entry for a refused request', async () => {
    const opened = await open({ routes, as: 'admin' })
    await opened.post('/api/admin/users', { email: 'admin@example.com', password })
    await opened.del('/api/admin/users/admin@example.com')
    expect((await opened.get('/api/admin/audit')).body).toEqual({ entries: [] })
  })

  it('filters by actor, target and request, and continues after the previous page', async () => {
    const opened = await open({ routes, as: 'admin' })
    await write(opened)
    const ask = async (query: string) => (await opened.get(`/api/admin/audit?${query}`)).body
    expect(idsOf(await ask('target=a@example.com'))).toEqual(['req-3', 'req-2', 'req-1'])
    expect(idsOf(await ask('actor=admin@example.com&requestId=req-2'))).toEqual(['req-2'])
    expect(idsOf(await ask('actor=nobody@example.com'))).toEqual([])
    expect(idsOf(await ask('actor=Admin@Example.com'))).toEqual(idsOf(await ask('actor=admin@example.com')))
    expect(idsOf(await ask('actor=Admin@Example.com'))).not.toEqual([])
    const first = await ask('limit=3')
    expect(idsOf(first)).toEqual(['req-4', 'req-3', 'req-2'])
    expect(idsOf(await ask(`limit=3&cursor=${encodeURIComponent(first.nextCursor)}`))).toEqual(['req-1'])
  })

  it('searches words and a time range, both ends included', async () => {
    const opened = await open({ routes, as: 'admin' })
    await write(opened)
    const ask = async (query: string) => (await opened.get(`/api/admin/audit?${query}`)).body
    expect(idsOf(await ask('q=A%40EXAMPLE%20update'))).toEqual(['req-2'])
    expect(idsOf(await ask('q=ann'))).toEqual(['req-3', 'req-2'])
    expect(idsOf(await ask('from=2026-01-01T00:00:01Z&to=2026-01-01T01:00:02%2B01:00'))).toEqual(['req-3', 'req-2'])
    expect(idsOf(await ask('from=2026-01-01T00:00:01.500Z&q=create'))).toEqual(['req-4'])
    expect(await opened.get('/api/admin/audit?from=2026-01-01T00:00:02Z&to=2026-01-01T00:00:01Z')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/to' }] },
    })
    expect(await opened.get('/api/admin/audit?to=2016-12-31T23:59:60Z')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/to' }] },
    })
  })

  it.each(['limit=0', 'limit=201', 'actor=', 'who=me', 'q=', `q=${'x'.repeat(101)}`, 'from=yesterday'])(
    'answers 400 to ?%s',
    async (query) => {
      const { get } = await open({ routes, as: 'admin' })
      expect(await get(`/api/admin/audit?${query}`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    },
  )

  it('never answers 500 to an invalid cursor', async () => {
    const { get } = await open({ routes, as: 'admin' })
    for (const cursor of ['x', '%00', '%F0%9F%A6%8A', 'a'.repeat(1024)])
      expect([200, 400]).toContain((await get(`/api/admin/audit?cursor=${cursor}`)).status)
  })
})
