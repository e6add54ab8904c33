import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { doors, type OpenDoor } from '../doors.ts'

const routes = authRoutes
const account = { email: 'ann@example.com', password: 'correct horse battery' }

const removeAdministrator = ({ accountStore }: OpenDoor) =>
  accountStore.change('admin@example.com', () => ({ next: undefined, result: undefined }))
const makeClaim = async (opened: OpenDoor): Promise<string> => {
  await removeAdministrator(opened)
  return (await opened.deps.signIn.createClaim()) ?? 'no claim'
}

describe.each(doors)('POST /auth/claim through %s', (_name, open) => {
  it('answers as a sign-in does, once', async () => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    const { status, body } = await opened.post('/auth/claim', { claim, ...account, displayName: 'Ann' })
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), displayName: 'Ann', playerId: expect.any(String), verified: true })
    expect(await opened.tokens.find(body.token)).toMatchObject({ verified: true, playerId: body.playerId })
    expect((await opened.accountStore.findByEmail(account.email))?.groups).toContain('admin')
    expect(await opened.post('/auth/claim', { claim, ...account })).toMatchObject({
      status: 401,
      body: { type: '/problems/invalid-claim' },
    })
  })

  it('answers 409 once there is an administrator, and leaves the account as it was', async () => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    const { admin } = opened.people
    await opened.accountStore.change(admin.email, () => ({ next: admin, result: undefined }))
    const answer = await opened.post('/auth/claim', { claim, ...account, email: 'player@example.com' })
    expect(answer).toMatchObject({ status: 409, body: { type: '/problems/already-claimed' } })
    expect(await opened.accountStore.findByEmail('player@example.com')).toEqual(opened.people.player)
  })

  it.each([
    [{ ...account, email: 'ann' }, '/email'],
    [{ ...account, password: 'short' }, '/password'],
    [{ ...account, password: 'x'.repeat(73) }, '/password'],
    [{ ...account, displayName: 'a\nb' }, '/displayName'],
    [{ ...account, groups: ['admin'] }, '/groups'],
    [{ email: account.email }, '/password'],
  ])('answers 400 to %j, and the claim stays usable', async (input, pointer) => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    const answer = await opened.post('/auth/claim', { claim, ...input })
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }))
    expect((await opened.post('/auth/claim', { claim, ...account })).status).toBe(200)
  })

  it('answers 401 to a made-up claim, and 429 to many', async () => {
    const configs = { server: { http: { rateLimits: { signInPerMinutePerAddress: 3 } } } }
    const opened = await open({ routes, configs })
    await removeAdministrator(opened)
    for (const claim of ['', 'x', 'x'.repeat(43)])
      expect(await opened.post('/auth/claim', { claim, ...account })).toMatchObject({ status: 401 })
    const answer = await opened.post('/auth/claim', { claim: 'x', ...account })
    expect(answer).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(await opened.accountStore.findByEmail(account.email)).toBeUndefined()
  })
})

describe.each(doors)('GET /claim through %s', (_name, open) => {
  it('answers a page of which everything, and nothing else, is allowed to run', async () => {
    const { get } = await open({ routes })
    const { status, headers, text } = await get('/claim')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    for (const tag of ['style', 'script']) {
      const [, content = '', ...more] = text.split(new RegExp(`</?${tag}>`))
      expect(more).toHaveLength(1)
      expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    }
    expect(text).not.toMatch(/\s(?:src|href|style|on\w+)=/)
  })
})
