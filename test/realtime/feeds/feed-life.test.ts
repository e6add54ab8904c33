import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { createFeedFixture, type FeedFixture } from '../../support/feeds/feed-fixture.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'

const minutes = 60_000

describe('the life of a feed', () => {
  let node: FeedFixture
  let ann: Account
  beforeEach(async () => {
    node = await createFeedFixture()
    ann = await node.addAccount('ann', ['editor'])
  })
  afterEach(() => node.close())

  const openFor = async (account: Account) => {
    const token = await node.signIn(account)
    const feed = await node.open(token)
    await node.settle()
    return { ...feed, token }
  }

  it('ends with 1008 when its token expires, and not before', async () => {
    const feed = await openFor(ann)
    node.clock.advance(10 * minutes - 1000)
    await node.settle()
    expect(feed.end.code).toBeUndefined()
    node.clock.advance(1000)
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'token-expired' })
    expect(feed.received.at(-1)).toMatchObject({ type: 'error', code: 'token-expired' })
  })

  it('continues with a fresh token of the same account, and sends the new end', async () => {
    const feed = await openFor(ann)
    node.clock.advance(9 * minutes)
    await node.settle()
    feed.send({ type: 'renew', token: await node.signIn(ann) })
    await node.settle()
    const [renewed] = feed.all('renewed')
    expect(Date.parse(String(renewed?.expiresAt)) - node.clock.now()).toBeGreaterThan(9.9 * minutes)
    node.clock.advance(9 * minutes)
    await node.settle()
    expect(feed.end.code).toBeUndefined()
    node.clock.advance(1 * minutes)
    await node.settle()
    expect(feed.end.code).toBe(1008)
  })

  it('refuses a token of another account, a dead one, and one without access', async () => {
    const feed = await openFor(ann)
    node.clock.advance(9 * minutes)
    const tokens = [
      await node.signIn(await node.addAccount('bob', ['editor'])),
      'd8f7f1d8-6c52-4f64-9a0e-0f1e2d3c4b5a',
      'rubbish',
      await node.signIn(ann, false),
    ]
    for (const token of tokens) {
      feed.send({ type: 'renew', token })
      await node.settle()
    }
    expect(feed.all('error').map(({ code }) => code)).toEqual([
      'invalid-token',
      'invalid-token',
      'invalid-token',
      'password-sign-in-needed',
    ])
    expect(feed.all('renewed')).toEqual([])
    node.clock.advance(1 * minutes)
    await node.settle()
    expect(feed.end.code).toBe(1008)
  })

  it('ends at once when its sign-in ends, and keeps others of the account', async () => {
    const [feed, other] = [await openFor(ann), await openFor(ann)]
    const record = await node.tokens.revoke(feed.token)
    await node.events.publish('sign-in-ended', { playerId: ann.playerId, signInId: record?.signInId ?? '' })
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'sign-in-ended' })
    expect(other.end.code).toBeUndefined()
  })

  it('ends at the next check of revocations when the event of its sign-in was lost', async () => {
    const feed = await openFor(ann)
    await node.tokens.revoke(feed.token)
    await node.watch.checkRevocations()
    await node.settle()
    expect(feed.end.code).toBe(1008)
  })

  it('ends when the account is deleted', async () => {
    const feed = await openFor(ann)
    await node.events.publish('account-removed', { playerId: ann.playerId, email: ann.email })
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'account-removed' })
  })

  it('ends when the account loses the permission to read, or its group does', async () => {
    const feed = await openFor(ann)
    await node.accountStore.change(ann.email, () => ({ next: { ...ann, groups: ['player'] }, result: undefined }))
    await node.events.publish('account-changed', { playerId: ann.playerId, email: ann.email })
    await node.settle()
    expect(feed.end).toMatchObject({ code: 1008, reason: 'missing-permission' })

    const bob = await openFor(await node.addAccount('bob', ['editor']))
    node.permissions.replace({ groups: [{ name: 'editor', permissions: [] }], defaultGroups: [] })
    await node.settle()
    expect(bob.end).toMatchObject({ code: 1008, reason: 'missing-permission' })
  })

  it('ends when its sign-in ends between the check of its token and its first tick', async () => {
    const token = await node.signIn(ann)
    const feed = await node.open(token)
    await node.tokens.revoke(token)
    await node.settle()
    expect(feed.end.code).toBe(1008)
  })

  it('sends a heartbeat every 15 s, and closes a silent client', async () => {
    const [quiet, alive] = [await openFor(ann), await openFor(ann)]
    for (let beat = 1; beat <= 2; beat += 1) {
      await node.pass(15_000)
      alive.socket.payFor('pong')
      expect(quiet.all('heartbeat')).toEqual(Array(beat).fill({ type: 'heartbeat' }))
    }
    await node.pass(15_000)
    expect(quiet.end.isTerminated).toBe(true)
    expect(alive.end).toMatchObject({ isTerminated: false, pings: 3 })
  })

  it('closes a slow client with 4008, and serves the others as before', async () => {
    const [slow, quick] = [await openFor(ann), await openFor(ann)]
    slow.state.bufferedBytes = 17 * 2 ** 20
    quick.send({ type: 'edit', ref: 1, edits: [{ x: 0, y: 64, z: 0, type: 'stone' }] })
    await node.settle()
    expect(slow.end).toMatchObject({ code: 4008, reason: 'too-slow' })
    expect(quick.all('blocks')).toHaveLength(1)
    expect(quick.all('result')).toHaveLength(1)
  })

  it('sends all events of one tick in one write, the same bytes to every client', async () => {
    const feeds = [await openFor(ann), await openFor(ann), await openFor(ann)]
    feeds[0]?.send({ type: 'edit', ref: 1, edits: [{ x: 0, y: 64, z: 0, type: 'stone' }] })
    await node.settle()
    const frames = feeds.map(({ writes }) => writes[1])
    expect(frames[0]).toBeDefined()
    expect(frames[1]).toBe(frames[0])
    expect(frames[2]).toBe(frames[0])
  })

  it('sends positions of a player who walks at most five times a second', async () => {
    const feed = await openFor(ann)
    const pat = await node.addAccount('pat')
    const token = await node.signIn(pat)
    openFakeClient(node).send({
      $case: 'connect',
      value: { token, protocolVersion: 1, clientName: 'test', resumeToken: undefined },
    })
    await node.settle()
    node.loop.live.teleport(pat.playerId, { x: 1, y: 64, z: 8, yaw: 0, pitch: 0 })
    await node.pass(250)
    expect(feed.all('playerEntered')).toHaveLength(1)
    const before = feed.received.length
    for (let step = 0; step < 40; step += 1) {
      node.loop.live.teleport(pat.playerId, { x: 2 + step / 8, y: 64, z: 8, yaw: 0, pitch: 0 })
      node.clock.advance(50)
      node.loop.tick(node.clock.monotonic())
    }
    const moves = feed.received.slice(before).filter(({ type }) => type === 'playerMoved')
    expect(moves.length).toBeGreaterThanOrEqual(9)
    expect(moves.length).toBeLessThanOrEqual(11)
  })

  it('forgets a zone without clients after two minutes', async () => {
    const feed = await openFor(ann)
    const [{ seq: since } = { seq: 0 }] = feed.all('zone')
    feed.socket.ended()
    await node.pass(130_000)
    expect(node.loop.feeds.zones()).toEqual([])
    const again = await openFor(ann)
    again.send({ type: 'resume', since })
    await node.settle()
    expect(again.all('zone').at(-1)).toMatchObject({ reset: true })
  })
})
