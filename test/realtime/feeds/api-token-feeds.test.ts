import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { createFeedFixture, type FeedFixture } from '../../support/feeds/feed-fixture.ts'

const day = 24 * 60 * 60_000

describe('a feed with an API token', () => {
  let node: FeedFixture
  let ann: Account
  beforeEach(async () => {
    node = await createFeedFixture()
    ann = await node.addAccount('ann', ['editor', 'watcher'])
  })
  afterEach(() => node.close())

  const openWith = async (permissions: readonly string[], more: { readonly expiresAt?: string } = {}) => {
    const made = await node.createApiToken(ann, permissions, more)
    const feed = await node.open(made.token)
    await node.settle()
    return { ...made, feed }
  }
  const edit = { type: 'edit', ref: 1, edits: [{ x: 0, y: 64, z: 0, type: 'stone' }] }

  it('opens for a zone and for a world, and stays open for days', async () => {
    const { feed, token } = await openWith(['admin.instances.*', 'admin.worlds.read'])
    const world = await node.openWorld(token)
    await node.settle()
    expect(feed.all('zone')).toHaveLength(1)
    node.clock.advance(3 * day)
    await node.settle()
    expect([feed.end.code, world.end.code]).toEqual([undefined, undefined])
  })

  it.each([
    ['zone', (token: string) => node.open(token), 'admin.instances.read'],
    ['world', (token: string) => node.openWorld(token), 'admin.worlds.read'],
  ])('is refused for a %s outside its scope, and the permission is named', async (_kind, open, permission) => {
    const { token } = await node.createApiToken(ann, ['command.who', 'admin.users.read'])
    await expect(open(token)).rejects.toMatchObject({
      kind: 'forbidden',
      slug: 'missing-permission',
      publicDetail: `This API token does not include the permission "${permission}".`,
    })
  })

  it('cannot edit with a scope that only reads', async () => {
    const { feed } = await openWith(['admin.instances.read'])
    feed.send(edit)
    await node.settle()
    expect(feed.all('result')).toMatchObject([{ ok: false }])
    const writer = await openWith(['admin.instances.*'])
    writer.feed.send(edit)
    await node.settle()
    expect(writer.feed.all('result')).toMatchObject([{ ok: true }])
  })

  it('closes when its token is deleted, and also when the event is lost', async () => {
    const deleted = await openWith(['admin.instances.read'])
    const world = await node.openWorld((await node.createApiToken(ann, ['admin.worlds.read'])).token)
    await node.settle()
    await deleted.remove()
    await node.settle()
    expect(deleted.feed.end).toMatchObject({ code: 1008, reason: 'sign-in-ended' })
    expect(world.end.code).toBeUndefined()
    const lost = await openWith(['admin.instances.read'])
    node.watch.close()
    await lost.remove()
    await node.settle()
    expect(lost.feed.end.code).toBeUndefined()
    await node.watch.checkRevocations()
    await node.settle()
    expect(lost.feed.end.code).toBe(1008)
  })

  it('closes when its token expires', async () => {
    const { feed } = await openWith(['admin.instances.read'], { expiresAt: new Date(node.clock.now() + day).toISOString() })
    node.clock.advance(day - 1000)
    await node.settle()
    expect(feed.end.code).toBeUndefined()
    node.clock.advance(1000)
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'token-expired' })
  })

  it('is renewed by another API token, and the answer has its end if it has one', async () => {
    const { feed } = await openWith(['admin.instances.*'], { expiresAt: new Date(node.clock.now() + day).toISOString() })
    feed.send({ type: 'renew', token: (await node.createApiToken(ann, ['admin.instances.read'])).token })
    await node.settle()
    expect(feed.all('renewed')).toEqual([{ type: 'renewed' }])
    node.clock.advance(2 * day)
    await node.settle()
    expect(feed.end.code).toBeUndefined()
    feed.send(edit)
    await node.settle()
    expect(feed.all('result')).toMatchObject([{ ok: false }])
    feed.send({ type: 'renew', token: (await node.createApiToken(ann, ['command.who'])).token })
    await node.settle()
    expect(feed.all('error')).toMatchObject([{ code: 'missing-permission' }])
  })
})
