import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { type FeedHead, knockAtFeed } from '../../support/feeds/feed-client.ts'
import { type FeedNode, startFeedNode } from '../../support/feeds/feed-node.ts'

type Sender =
  | 'nobody'
  | 'a player'
  | 'a reader'
  | 'an editor'
  | 'an unverified administrator'
  | 'one who has a password'
  | 'a token that was revoked'

describe('an upgrade to a feed', () => {
  let node: FeedNode
  let tokens: Record<Sender, string | undefined>
  beforeAll(async () => {
    node = await startFeedNode()
    const boss = await node.addAccount('boss', ['admin'])
    const withPassword = { ...(await node.addAccount('dora', ['admin'])), passwordHash: 'a hash' }
    await node.accountStore.change(withPassword.email, () => ({ next: withPassword, result: undefined }))
    const gone = await node.signIn(await node.addEditor('gone'))
    await node.tokens.revoke(gone)
    tokens = {
      nobody: undefined,
      'a player': await node.signIn(await node.addAccount('pat')),
      'a reader': await node.signIn(await node.addEditor('rea', ['reader'])),
      'an editor': await node.signIn(await node.addEditor('ed')),
      'an unverified administrator': await node.signIn(boss, false),
      'one who has a password': await node.signIn(withPassword, false),
      'a token that was revoked': gone,
    }
  })
  afterAll(() => node.close())

  const headOf = (way: 'header' | 'subprotocol', token: string | undefined): FeedHead => {
    if (way === 'header') return token === undefined ? {} : { token }
    return { protocols: ['gatehouse.feed.v1', ...(token === undefined ? [] : [`bearer.${token}`])] }
  }
  const ways = ['header', 'subprotocol'] as const
  const refusals = [
    ['nobody', 401, 'not-signed-in'],
    ['a token that was revoked', 401, 'invalid-token'],
    ['a player', 403, 'missing-permission'],
    ['an unverified administrator', 403, 'password-sign-in-needed'],
    ['one who has a password', 403, 'password-sign-in-needed'],
  ] as const

  it.each(ways.flatMap((way) => refusals.map((row) => [way, ...row] as const)))(
    'with a credential by %s of %s is refused with %d %s, even if the zone does not exist',
    async (way, sender, status, slug) => {
      for (const id of [node.zone.id, randomUUID(), 'no-uuid']) {
        const refusal = await node.knock(headOf(way, tokens[sender]), id)
        expect(refusal).toMatchObject({
          status,
          body: { type: `/problems/${slug}`, status, instance: `/api/admin/ws/instances/${id}` },
        })
        expect(refusal.headers['content-type']).toBe('application/problem+json')
        expect(refusal.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
        expect(refusal.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
      }
    },
  )

  it('names the permission that is missing', async () => {
    expect((await node.knock({ token: tokens['a player'] ?? '' })).body.detail).toContain('"admin.instances.read"')
  })

  it.each(['no-uuid', randomUUID(), randomUUID().toUpperCase(), '%00', '..%2f..', 'a'.repeat(3000)])(
    'of an editor to the zone %j, which does not exist, is answered 404',
    async (id) => {
      const refusal = await node.knock({ token: tokens['an editor'] ?? '' }, id)
      expect(refusal).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    },
  )

  it('of an editor accepts the id of the zone in capitals, as the other addresses of zones do', async () => {
    const head = { token: tokens['an editor'] ?? '' }
    const feed = await node.openRaw(head, node.zone.id.toUpperCase())
    expect(await feed.next('zone')).toMatchObject({ zone: { id: node.zone.id } })
  })

  it.each(['/api/admin/ws/instances', '/api/admin/ws/instances/', '/api/admin/ws', '/'])(
    'to %s is answered 404',
    async (path) => {
      const refusal = await knockAtFeed(new URL(path, node.url).href, { token: tokens['an editor'] ?? '' })
      expect(refusal.status).toBe(404)
    },
  )

  it.each(['token', 'access_token', 'bearer'])('with its token as ?%s= in the URL counts as without any', async (name) => {
    const refusal = await node.knock({}, `${node.zone.id}?${name}=${tokens['an editor']}`)
    expect(refusal).toMatchObject({ status: 401, body: { type: '/problems/not-signed-in' } })
    expect(JSON.stringify(refusal)).not.toContain(tokens['an editor'])
  })

  it.each([
    ['two bearers', (token: string) => ['gatehouse.feed.v1', `bearer.${token}`, 'bearer.other']],
    ['a bearer without the protocol', (token: string) => [`bearer.${token}`]],
    ['an empty bearer', () => ['gatehouse.feed.v1', 'bearer.']],
  ])('with %s is refused with 401', async (_name, protocols) => {
    const refusal = await node.knock({ protocols: protocols(tokens['an editor'] ?? '') })
    expect(refusal).toMatchObject({ status: 401, body: { type: '/problems/invalid-token' } })
  })

  it('with a malformed Authorization is refused, whatever its subprotocols say', async () => {
    const protocols = ['gatehouse.feed.v1', `bearer.${tokens['an editor']}`]
    const refusal = await node.knock({ protocols, headers: { Authorization: 'Basic YTpi' } })
    expect(refusal).toMatchObject({ status: 401, body: { type: '/problems/invalid-token' } })
  })

  it('by subprotocol selects the protocol and never repeats the token', async () => {
    const feed = await node.openRaw(headOf('subprotocol', tokens['a reader']))
    expect(feed.socket.protocol).toBe('gatehouse.feed.v1')
    expect(await feed.next('zone')).toMatchObject({ zone: node.zone })
    expect(JSON.stringify(feed.received)).not.toContain(tokens['a reader'])
    feed.terminate()
  })

  it.each([
    ['another site', 'https://evil.example', 403],
    ['an opaque origin', 'null', 403],
    ['another port of this host', 'http://127.0.0.1:1', 403],
    ['a name with the same beginning', 'http://127.0.0.1.evil.example', 403],
    ['the base address', 'http://127.0.0.1:3000', 101],
    ['the host of the request', 'the host', 101],
  ])('from %s (%s) is answered %d', async (_name, origin, status) => {
    const own = node.addressOf('').replace(/^ws/, 'http').split('/api')[0] ?? ''
    const head = { token: tokens['an editor'] ?? '', headers: { Origin: origin === 'the host' ? own : origin } }
    if (status === 403) {
      const refusal = await node.knock(head)
      expect(refusal).toMatchObject({ status, body: { type: '/problems/origin-not-allowed' } })
    } else {
      const feed = await node.openRaw(head)
      expect(await feed.next('zone')).toMatchObject({ zone: { id: node.zone.id } })
      feed.terminate()
    }
  })

  it('is answered 503 with Retry-After while tokens or zones cannot be looked up', async () => {
    const away = new AppError('unavailable', 'service-unavailable', 'Redis is away.', { retryAfterSeconds: 3 })
    const other = await startFeedNode()
    try {
      const token = await other.signIn(await other.addEditor('ed'))
      for (const part of [
        { of: other.tokens, name: 'find' },
        { of: other.store, name: 'get' },
      ]) {
        const before = Object.getOwnPropertyDescriptor(part.of, part.name) ?? {}
        Object.defineProperty(part.of, part.name, { configurable: true, value: () => Promise.reject(away) })
        const refusal = await other.knock({ token })
        Object.defineProperty(part.of, part.name, before)
        expect(refusal).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
        expect(refusal.headers['retry-after']).toBe('3')
      }
    } finally {
      await other.close()
    }
  })
})
