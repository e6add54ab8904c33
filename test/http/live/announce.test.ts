import { describe, expect, it } from '@jest/globals'
import { liveRoutes } from '../../../functions/live/routes.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { doors } from '../doors.ts'

const routes = liveRoutes
const path = '/api/admin/announcements'

describe.each(doors)(`POST ${path} through %s`, (_name, open) => {
  it('is audited, and sent to every node', async () => {
    const { post, events, deps } = await open({ routes, as: 'admin' })
    const delivered: unknown[] = []
    await events.subscribe('announced', (event) => void delivered.push(event))
    expect((await post(path, { text: 'restart at six' })).status).toBe(204)
    await waitFor(() => delivered.length > 0)
    expect(delivered).toEqual([{ text: 'restart at six' }])
    const { entries } = await deps.audit.listEntries({ limit: 5 })
    expect(entries).toMatchObject([
      { action: 'announcement', target: 'everybody', after: { text: 'restart at six' }, via: 'http' },
    ])
  })

  it('removes open overrides and stacked marks, and refuses a line of nothing else', async () => {
    const { post, events, deps } = await open({ routes, as: 'admin' })
    const delivered: unknown[] = []
    await events.subscribe('announced', (event) => void delivered.push(event))
    const text = `re\u202estart Z${'\u0335'.repeat(40)}`
    const shown = `restart Z${'\u0335'.repeat(8)}`
    expect((await post(path, { text })).status).toBe(204)
    await waitFor(() => delivered.length > 0)
    expect(delivered).toEqual([{ text: shown }])
    expect((await deps.audit.listEntries({ limit: 1 })).entries).toMatchObject([{ after: { text: shown } }])
    expect(await post(path, { text: '\u202e' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/text' }] } })
    expect(delivered).toHaveLength(1)
  })

  it.each([[{}], [{ text: '' }], [{ text: 'two\nlines' }], [{ text: 'x'.repeat(501) }], [{ text: 7 }], [{ text: 'a', to: 'b' }]])(
    'answers 400 to %j and sends nothing',
    async (body) => {
      const { post, deps } = await open({ routes, as: 'admin' })
      expect(await post(path, body)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
      expect((await deps.audit.listEntries({ limit: 1 })).entries).toEqual([])
    },
  )

  it('answers 403 to muted users, and so does a message to a player', async () => {
    const { post, deps, people } = await open({ routes, as: 'admin' })
    await deps.sanctions.impose(operator, { kind: 'mute', email: people.admin.email, reason: 'shouting' })
    for (const answer of [await post(path, { text: 'hear me' }), await post('/api/admin/players/x/message', { text: 'hear me' })])
      expect(answer).toMatchObject({
        status: 403,
        body: { type: '/problems/muted', detail: expect.stringContaining('shouting') },
      })
    expect((await deps.audit.listEntries({ limit: 5 })).entries.map(({ action }) => action)).not.toContain('announcement')
  })

  it('answers 403 to a player, and names the permission', async () => {
    const { post } = await open({ routes, as: 'player' })
    const answer = await post(path, { text: 'free cake' })
    expect(answer).toMatchObject({ status: 403, body: { type: '/problems/missing-permission' } })
    expect(answer.body.detail).toContain('admin.announcements.write')
  })
})
