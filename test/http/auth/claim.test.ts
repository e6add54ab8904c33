import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
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
  it('answers like a sign-in, once', async () => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    const { status, body } = await opened.post('/auth/claim', { claim, ...account, displayName: 'Ann' })
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), displayName: 'Ann', playerId: expect.any(String), verified: true })
    expect(await opened.tokens.find(body.token)).toMatchObject({ verified: true, playerId: body.playerId })
    expect((await opened.accountStore.findByEmail(account.email))?.groups).toContain('admin')
    expect(await opened.post('/auth/claim', { claim, ...account })).toMatchObject({
      status: 409,
      body: { type: '/problems/already-claimed', detail: expect.not.stringContaining('estart') },
    })
  })

  it.each([
    [true, { requirePassword: true, registration: 'invite' }],
    [false, undefined],
  ])('saves requirePassword %j in server.yaml, as the new administrator', async (requirePassword, local) => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    const { status, body } = await opened.post('/auth/claim', { claim, ...account, requirePassword })
    expect({ status, requirePassword: body.requirePassword }).toEqual({ status: 200, requirePassword })
    const { entries } = await opened.deps.audit.listEntries({ limit: 10 })
    const actions = entries.filter(({ actor }) => actor === account.email).map(({ action }) => action)
    if (local === undefined) expect(actions).not.toContain('config.save')
    else {
      expect(parse((await opened.configFiles.read('server.yaml')).text)).toEqual({ auth: { local } })
      expect(actions).toEqual(expect.arrayContaining(['config.save', 'config.reload']))
    }
  })

  it('claims when server.yaml is read-only, and answers the setting that applies', async () => {
    const save = async () => {
      throw new Error('EROFS: read-only file system')
    }
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    Object.assign(opened.deps.configEditor, { save })
    const answer = await opened.post('/auth/claim', { claim, ...account, requirePassword: true })
    expect(answer).toMatchObject({ status: 200, body: { token: expect.any(String), requirePassword: false } })
  })

  it('is announced by GET /api/auth/config until the claim', async () => {
    const opened = await open({ routes })
    const claim = await makeClaim(opened)
    expect((await opened.get('/api/auth/config')).body).toMatchObject({ unclaimed: true })
    await opened.post('/auth/claim', { claim, ...account })
    expect((await opened.get('/api/auth/config')).body).not.toHaveProperty('unclaimed')
  })

  it('answers 409 once there is an administrator, and keeps the account', async () => {
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

  it('answers 401 to a forged claim, and 429 to many', async () => {
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
  it('answers a page whose security policy allows exactly its own scripts and styles', async () => {
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
