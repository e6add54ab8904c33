import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ConnectionLostError, RefusedError } from '../../../../sdk/errors.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { createFakeFeed, reachState } from '../../support/fake-feed.ts'

let fake: ReturnType<typeof createFakeFeed>
beforeEach(() => {
  fake = createFakeFeed()
})
afterEach(() => fake.end())

const block = { x: 1, y: 64, z: 1, type: 'stone' }
const minutes = 60_000

const problem = (status: number, slug: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: `/problems/${slug}`, title: slug, status }), { status, headers })

describe('the feed of a zone', () => {
  it('begins with the record, and includes messages right after it', async () => {
    const opening = fake.enter()
    const { feed } = await opening
    fake.say({ type: 'playerEntered', playerId: 'p', displayName: 'pat', position: { x: 1, y: 64, z: 1, yaw: 0, pitch: 0 } })
    const entered = feed.events('playerEntered')
    const zones = feed.events('zone')
    expect((await zones.next()).value).toMatchObject({ zone: { name: 'Town' } })
    expect((await entered.next()).value).toMatchObject({ displayName: 'pat' })
    expect(feed.zone().name).toBe('Town')
  })

  it('offers the token as a subprotocol if the socket has no headers, and never in the address', async () => {
    const { me } = await fake.enter()
    expect(fake.connections).toEqual([
      { path: '/api/admin/ws/instances/z', protocols: ['gatehouse.feed.v1', `bearer.${me.token()}`] },
    ])
  })

  it('answers edits by their ref, and rejects edits that the server refuses', async () => {
    const { feed } = await fake.enter()
    fake.answerWith(({ ref, edits }, end) => {
      const [{ type } = { type: '' }] = edits as { type: string }[]
      const answer =
        type === 'cheese'
          ? { type: 'error', code: 'invalid-message', message: 'No.', ref }
          : { type: 'result', ref, ok: type === 'stone', applied: 1, rejected: [] }
      end.send(JSON.stringify(answer))
    })
    const [done, refused, wrong] = await Promise.allSettled([
      feed.edit([block]),
      feed.edit([{ ...block, type: 'lava' }], { partial: true }),
      feed.edit([{ ...block, type: 'cheese' }]),
    ])
    expect(done).toMatchObject({ value: { ok: true } })
    expect(refused).toMatchObject({ value: { ok: false } })
    expect(wrong).toMatchObject({ reason: expect.any(RefusedError) })
    expect(fake.received.map(({ ref, partial }) => [ref, partial])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ])
  })

  it('refuses invalid edits by itself, and sends nothing', async () => {
    const { feed } = await fake.enter()
    await expect(feed.edit(Array.from({ length: 4_097 }, () => block))).rejects.toMatchObject({ type: 'too-many-edits' })
    const long = Array.from({ length: 4_096 }, () => ({ ...block, type: 'é'.repeat(64) }))
    await expect(feed.edit(long)).rejects.toMatchObject({ type: 'message-too-large' })
    await expect(feed.edit([block], { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(fake.received).toEqual([])
  })

  it('emits errors that belong to no edit', async () => {
    const { feed } = await fake.enter()
    const refused = feed.events('refused')
    fake.say({ type: 'error', code: 'service-unavailable', message: 'Send it again.' })
    expect((await refused.next()).value).toMatchObject({ code: 'service-unavailable' })
  })

  it('stops opening when the signal is aborted', async () => {
    await expect(fake.enter({ signal: AbortSignal.abort(new Error('never mind')) })).rejects.toThrow('never mind')
  })
})

/** Reconnects after a cut. */
const comeBack = async (feed: Parameters<typeof reachState>[0]): Promise<void> => {
  await reachState(feed, 'waiting')
  const live = reachState(feed, 'live')
  fake.held.advance(8_000)
  await live
}

describe('a feed that loses its connection', () => {
  it('resumes after its last message, and rejects an unanswered edit without a retry', async () => {
    const { feed } = await fake.enter()
    const blocks = feed.events('blocks')
    const since = fake.tell({ type: 'blocks', edits: [block], by: '' })
    await blocks.next()
    const edit = feed.edit([block])
    edit.catch(() => undefined)
    const states: string[] = []
    feed.on('state', ({ name }) => states.push(name))
    fake.cut()
    await expect(edit).rejects.toBeInstanceOf(ConnectionLostError)
    await expect(feed.edit([block])).rejects.toMatchObject({ name: 'NotSentError', code: 'not-connected' })
    fake.miss(2)
    const live = reachState(feed, 'live')
    fake.held.advance(8_000)
    await live
    fake.say({ type: 'blocks', edits: [block], by: 'late', seq: since + 1 })
    expect((await blocks.next()).value).toMatchObject({ by: 'late' })
    expect(states).toEqual(['waiting', 'resuming', 'live'])
    expect(fake.received.map(({ type }) => type)).toEqual(['edit', 'resume'])
    expect(fake.received[1]).toEqual({ type: 'resume', since })
  })

  it('emits each change once and in order, even if a new one overtakes missed ones', async () => {
    const { feed } = await fake.enter()
    const seen: string[] = []
    feed.on('blocks', ({ by }) => seen.push(by))
    const change = (by: string) => ({ type: 'blocks', edits: [block], by })
    const since = fake.tell(change('first'))
    await waitFor(() => seen.length === 1)
    fake.miss(1)
    fake.cut()
    await comeBack(feed)
    fake.say({ ...change('third'), seq: since + 2 })
    for (const [at, by] of ['second', 'third', 'fourth'].entries()) fake.say({ ...change(by), seq: since + 1 + at })
    await waitFor(() => seen.includes('fourth'))
    expect(seen).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('resumes from the same place when it is cut again before the answer', async () => {
    const { feed } = await fake.enter()
    fake.miss(5)
    fake.cut()
    await comeBack(feed)
    // A message after the cut: it comes before the answer to `resume`, which contains it again.
    const refused = feed.events('refused')
    fake.tell({ type: 'blocks', edits: [block], by: '' })
    fake.say({ type: 'error', code: 'x', message: 'x' })
    await refused.next()
    fake.cut()
    await comeBack(feed)
    const zones = feed.events('zone')
    fake.say({ type: 'zone', zone: fake.zone, seq: 900, reset: true })
    await zones.next()
    fake.cut()
    await comeBack(feed)
    await waitFor(() => fake.received.length === 3)
    expect(fake.received).toEqual([100, 100, 900].map((since) => ({ type: 'resume', since })))
  })

  it('closes a server that is silent for 30 s, unless it sends heartbeats', async () => {
    const { feed } = await fake.enter()
    const heard = async () => {
      const refused = feed.events('refused')
      fake.say({ type: 'heartbeat' })
      fake.say({ type: 'error', code: 'x', message: 'x' })
      await refused.next()
    }
    for (let turn = 0; turn < 5; turn += 1) {
      fake.held.advance(14_000)
      await heard()
    }
    expect(feed.state().name).toBe('live')
    fake.held.advance(29_000)
    expect(feed.state().name).toBe('live')
    fake.held.advance(1_000)
    expect(feed.state().name).toBe('waiting')
  })

  it('sends the token renewed at half of its life, and one renewed while it was away', async () => {
    const { feed, me } = await fake.enter()
    const renewed = () => fake.received.filter(({ type }) => type === 'renew').map(({ token }) => token)
    const first = me.token()
    const next = () => new Promise<string>((resolve) => me.onRenewed(resolve))
    let token = next()
    const beats = setInterval(() => fake.say({ type: 'heartbeat' }), 1)
    for (let passed = 0; passed < 5 * minutes; passed += 10_000) {
      fake.held.advance(10_000)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    clearInterval(beats)
    const second = await token
    expect(second).not.toBe(first)
    fake.say({ type: 'renewed', expiresAt: '2026-11-20T17:10:00.000Z' })
    await feed.events('renewed').next()
    expect(renewed()).toEqual([second])
    fake.cut()
    await reachState(feed, 'waiting')
    token = next()
    await me.renew()
    const live = reachState(feed, 'live')
    fake.held.advance(8_000)
    await live
    expect(fake.connections.at(-1)?.protocols[1]).toBe(`bearer.${await token}`)
    expect(renewed()).toEqual([second])
  })
})

describe('a feed that is closed by the server', () => {
  it('ends when the zone is deleted, and leaves nothing', async () => {
    const { feed, me } = await fake.enter()
    fake.tell({ type: 'deleted' })
    expect(await reachState(feed, 'ended')).toMatchObject({ reason: 'zone-deleted' })
    me.close()
    expect(fake.held.waits()).toEqual([])
  })

  it.each(['sign-in-ended', 'account-removed', 'missing-permission'])('ends after 1008 and %s', async (code) => {
    const { feed } = await fake.enter()
    fake.say({ type: 'error', code, message: 'Over.' })
    fake.close(1008, code)
    expect(await reachState(feed, 'ended')).toMatchObject({ reason: code, text: 'Over.' })
    expect(fake.connections).toHaveLength(1)
  })

  it('reconnects at once with a fresh token after 1008 and token-expired', async () => {
    const { feed, me } = await fake.enter()
    const first = me.token()
    fake.say({ type: 'error', code: 'token-expired', message: 'Expired.' })
    fake.close(1008, 'token-expired')
    await reachState(feed, 'resuming')
    await reachState(feed, 'live')
    expect(fake.connections.at(-1)?.protocols[1]).not.toBe(`bearer.${first}`)
  })

  it.each([1001, 1009, 1013, 4008, 4029])('reconnects after %i', async (code) => {
    const { feed } = await fake.enter()
    fake.close(code)
    await reachState(feed, 'waiting')
    const live = reachState(feed, 'live')
    fake.held.advance(8_000)
    await live
  })

  it.each(['garbage', '[]', '{"type":7}', 'null', new Uint8Array([1])])('ends after an invalid frame: %p', async (frame) => {
    const { feed } = await fake.enter()
    fake.sayRaw(frame)
    expect(await reachState(feed, 'ended')).toMatchObject({ reason: 'not-gatehouse' })
  })

  it('ignores messages of a later version', async () => {
    const { feed } = await fake.enter()
    fake.say({ type: 'fireworks', seq: 101 })
    const zones = feed.events('zone')
    fake.say({ type: 'zone', zone: { ...fake.zone, name: 'Village' }, seq: 102 })
    while ((await zones.next()).value.zone.name !== 'Village');
    expect(feed.state().name).toBe('live')
  })
})

describe('a feed that is refused, in a browser', () => {
  it.each([
    [404, 'not-found'],
    [403, 'missing-permission'],
    [403, 'password-sign-in-needed'],
  ])('rejects with the answer of a second request: %i %s', async (status, slug) => {
    fake.refuse(() => problem(status, slug))
    await expect(fake.enter()).rejects.toMatchObject({ name: 'ProblemError', type: `/problems/${slug}` })
    expect(fake.connections).toHaveLength(1)
  })

  it('says that nothing is wrong with the zone when only the upgrade fails', async () => {
    fake.refuse(() => Response.json(fake.zone))
    await expect(fake.enter()).rejects.toMatchObject({ name: 'UnreachableError', failure: 'network' })
  })

  it('retries with a fresh token, once', async () => {
    fake.refuse(() => problem(401, 'not-signed-in'))
    await expect(fake.enter()).rejects.toMatchObject({ type: '/problems/not-signed-in' })
    expect(new Set(fake.connections.map(({ protocols }) => protocols[1])).size).toBe(2)
    expect(fake.connections).toHaveLength(2)
  })

  it.each([
    [503, 'service-unavailable'],
    [429, 'too-many-requests'],
  ])('waits for the delay of a %i once it was connected', async (status, slug) => {
    const { feed } = await fake.enter()
    fake.refuse(() => problem(status, slug, { 'Retry-After': '7' }))
    fake.cut()
    await reachState(feed, 'waiting')
    const resuming = reachState(feed, 'resuming')
    fake.held.advance(8_000)
    await resuming
    const state = await reachState(feed, 'waiting')
    expect(state).toMatchObject({ retryAt: fake.held.timers.now() + 7_000 })
    fake.accept()
    const live = reachState(feed, 'live')
    fake.held.advance(7_000)
    await live
  })
})

describe('a feed that is closed', () => {
  it('leaves no timer and no listener, whatever its state', async () => {
    const states = ['live', 'waiting'] as const
    for (const name of states) {
      const { feed, me } = await fake.enter()
      if (name === 'waiting') fake.cut()
      await reachState(feed, name)
      feed.close()
      me.close()
      expect(feed.state()).toMatchObject({ name: 'ended', reason: 'left' })
      expect(fake.held.waits()).toEqual([])
      await expect(feed.edit([block])).rejects.toMatchObject({ name: 'SessionEndedError', code: 'left' })
      expect((await feed.events('zone').next()).done).toBe(true)
    }
  })
})
