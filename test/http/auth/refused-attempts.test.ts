import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import type { DoorRequest } from '../../support/http/door.ts'
import { doors } from '../doors.ts'

const json = { 'content-type': 'application/json' }
const right = { email: 'player@example.com', password: '' }

const refused: readonly (readonly [what: string, status: number, request: DoorRequest])[] = [
  ['is not JSON', 400, { rawBody: '{', headers: json }],
  ['has unknown keys', 400, { body: { ...right, more: 1 } }],
  ['has an invalid email', 400, { body: { ...right, email: 'x' } }],
  ['is too large', 413, { rawBody: JSON.stringify(right).padEnd(8193), headers: json }],
  ['has the wrong media type', 415, { rawBody: '{}', headers: { 'content-type': 'text/plain' } }],
]

describe.each(doors)('attempts without a credential through %s', (_name, openDoor) => {
  const open = (signInPerMinutePerAddress: number) =>
    openDoor({ routes: authRoutes, configs: { server: { http: { rateLimits: { signInPerMinutePerAddress } } } } })

  it.each(refused)('count against the limit of the address when the body %s (%i)', async (_what, status, request) => {
    const opened = await open(2)
    expect((await opened.request('POST', '/auth/login', request)).status).toBe(status)
    expect((await opened.request('POST', '/auth/claim', request)).status).toBe(status)
    const answer = await opened.post('/auth/login', right)
    expect(answer).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each(refused)('are refused above the limit before the body is read, also one that %s', async (_what, _status, request) => {
    const opened = await open(1)
    expect((await opened.post('/auth/login', right)).status).toBe(200)
    expect((await opened.request('POST', '/auth/login', request)).status).toBe(429)
  })

  it('count an OAuth start with an invalid query', async () => {
    const { get, post } = await open(1)
    expect((await get('/auth/oauth/start?returnUrl=%')).status).toBe(400)
    expect((await post('/auth/login', right)).status).toBe(429)
  })

  it('above the limit of the address do not count against the emails they name', async () => {
    const { post, configs } = await open(1)
    const limits = (signInPerMinutePerAddress: number) =>
      configs.set({ server: { http: { rateLimits: { signInPerMinutePerAddress, signInPerMinutePerAccount: 1 } } } })
    limits(1)
    await post('/auth/login', { ...right, email: 'admin@example.com' })
    expect((await post('/auth/login', right)).status).toBe(429)
    limits(1000)
    expect((await post('/auth/login', right)).status).toBe(200)
  })

  it('accept a body of 8 KiB', async () => {
    const { request } = await open(10)
    const rawBody = JSON.stringify(right).padEnd(8192)
    expect((await request('POST', '/auth/login', { rawBody, headers: json })).status).toBe(200)
  })
})
