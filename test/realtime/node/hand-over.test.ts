import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Services } from '../../../shared/services/wire-services.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('nodes of one world', () => {
  let house: Awaited<ReturnType<typeof openNodesOfWorld>>
  beforeEach(async () => {
    house = await openNodesOfWorld()
  })
  afterEach(() => house.close())

  const start: typeof house.start = (...args) => house.start(...args)
  const open: typeof house.open = (node) => house.open(node)
  const enter: typeof house.enter = (...args) => house.enter(...args)
  const resume: typeof house.resume = (...args) => house.resume(...args)
  const statesOf: typeof house.statesOf = () => house.statesOf()
  const isRunning: typeof house.isRunning = (node) => house.isRunning(node)

  it('report their state: one runs the world, another is a ready standby', async () => {
    await start()
    const standby = await start({ standby: true })
    await waitFor(async () => (await statesOf()).length === 2)
    expect(await statesOf()).toEqual([
      ['default', 'ready'],
      [undefined, 'standby'],
    ])
    expect((await fetch(`${standby.url}/readyz`)).status).toBe(200)
    expect(standby.live()).toBeUndefined()
  })

  it('refuse to start without standby when another runs the world, and name that node', async () => {
    await start()
    await expect(start()).rejects.toMatchObject({
      slug: 'world-held',
      publicDetail: expect.stringContaining(house.tenure.holder.name),
    })
  })

  it('skip standby when the world is free, and run it once they start', async () => {
    expect((await start({ standby: true })).live()).toBeDefined()
  })

  it('hand players over with a resume address and delay, at the same position and view', async () => {
    const [first, second] = [await start(), await start({ standby: true })]
    await waitFor(async () => (await statesOf()).length === 2)
    const { client, playerId, welcome } = await enter(first, 'ann')
    client.send({ $case: 'viewRadius', value: { chunks: 3 } })
    await waitFor(() => client.count('chunk') > 8)
    client.move(3.25, 0.5, 1)
    client.send({ $case: 'ping', value: { nonce: 1 } })
    await client.next('pong')
    await first.close()
    const kick = await client.next('kick')
    expect(kick).toMatchObject({ code: 'going-away', resumeUrl: second.url })
    expect(Number(kick.retryAfterMs ?? 0)).toBeLessThanOrEqual(500)
    expect(await client.closed()).toEqual({ code: 1001, reason: 'going-away' })
    const again = await resume(second, welcome)
    expect(await again.next('welcome')).toMatchObject({ playerId, viewRadius: 3, position: { x: 3.25, y: 64, z: 0.5 } })
    expect(await statesOf()).toEqual([['default', 'ready']])
  })

  it('hand over a session with an API token together with its scope', async () => {
    const { services } = house
    const [first, second] = [await start(), await start({ standby: true })]
    await waitFor(async () => (await statesOf()).length === 2)
    const { playerId, email } = await services.accounts.signUp('bot@example.com', 'bot')
    const change = { playerId, actor: { email, via: 'http', requestId: 'r' }, target: email } as const
    const { token, created } = await services.apiTokens.create(change, { name: 'bot', permissions: ['world.undo'] })
    const client = await open(first)
    client.connect(token)
    const welcome = await client.next('welcome')
    await first.close()
    const again = await resume(second, welcome)
    const { position } = (await again.next('welcome')) as { readonly position: { readonly x: number; readonly z: number } }
    const edits = [{ x: Math.floor(position.x) + 2, y: 64, z: Math.floor(position.z), type: 'planks' }]
    again.send({ $case: 'editBlocks', value: { seq: 1, edits } })
    expect(await again.next('editResult')).toMatchObject({ ok: false, reason: 'missing-permission: world.build' })
    expect(await services.apiTokens.end(change, created.id)).toBe(true)
    expect(await again.closed()).toEqual({ code: 4003, reason: 'sign-in-ended' })
  })

  it('finish pending edits before they hand over', async () => {
    const first = await start()
    await start({ standby: true })
    const { client, welcome } = await enter(first, 'ann')
    const { position } = welcome as { readonly position: { readonly x: number; readonly z: number } }
    const x = Math.floor(position.x) + 2
    const z = Math.floor(position.z)
    const edits = [{ x, y: 64, z, type: 'planks' }]
    const build = async (player: RealtimeClient, seq: number) => {
      player.send({ $case: 'editBlocks', value: { seq, edits } })
      return player.next('editResult')
    }
    // Until the column is loaded.
    await waitFor(async () => (await build(client, 1)).ok === true)
    client.send({ $case: 'editBlocks', value: { seq: 2, edits: [{ x: x + 1, y: 64, z, type: 'planks' }] } })
    client.send({ $case: 'ping', value: { nonce: 1 } })
    await client.next('pong')
    await first.close()
    expect(client.received.find(({ case: kind, value }) => kind === 'editResult' && value.seq === 2)?.value).toMatchObject({
      ok: true,
    })
  })

  it('send players who connect during a hand-over away, and keep the world unchanged', async () => {
    const first = await start()
    const { client, welcome } = await enter(first, 'ann')
    const silent = await open(first)
    const closing = first.close()
    silent.connect('', { resumeToken: String(welcome.resumeToken) })
    expect(await silent.next('kick')).toMatchObject({ code: 'going-away', retryAfterSeconds: expect.any(Number) })
    await closing
    expect(await client.closed()).toMatchObject({ code: 1001 })
    // The resume token is still valid.
    await (await resume(await start(), welcome)).next('welcome')
  })

  it('keep sessions for the next node when there is no standby, and send a resume delay', async () => {
    const first = await start()
    const { client, playerId, welcome } = await enter(first, 'ann')
    const released: unknown[] = []
    await house.services.events.subscribe('world-released', ({ world }) => void released.push(world))
    await first.close()
    expect(released).toEqual(['default'])
    const kick = await client.next('kick')
    expect(kick).toMatchObject({ code: 'going-away', retryAfterSeconds: 5 })
    expect(kick).not.toHaveProperty('resumeUrl')
    const again = await resume(await start(), welcome)
    expect((await again.next('welcome')).playerId).toBe(playerId)
  })

  it('send the resume delay in time when the store is slow, and release the world afterwards', async () => {
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { services } = house
    const { store } = services
    const slowly: Services = { ...services, store: { ...store, commit: (writes) => slow.then(() => store.commit(writes)) } }
    const first = await start({ drainLimitMs: 1000 }, slowly)
    const standby = await start({ standby: true })
    await waitFor(async () => (await statesOf()).length === 2)
    const { client } = await enter(first, 'ann')
    await waitFor(() => client.count('chunk') > 8)
    client.move(3.25, 0.5, 1)
    client.send({ $case: 'ping', value: { nonce: 1 } })
    await client.next('pong')
    const closing = first.close()
    expect(await client.next('kick')).toMatchObject({ code: 'going-away', retryAfterSeconds: 5 })
    expect(await client.closed()).toMatchObject({ code: 1001 })
    expect(standby.live()).toBeUndefined()
    answer()
    await closing
    await isRunning(standby)
    expect(standby.live()?.listPlayers()).toMatchObject([{ displayName: 'ann', position: { x: 3.25, z: 0.5 } }])
  })

  it('refuse a used resume token on the next node as on their own', async () => {
    const [first, second] = [await start(), await start({ standby: true })]
    const { client, welcome } = await enter(first, 'ann')
    client.terminate()
    const back = await resume(first, welcome)
    await back.next('welcome')
    await first.close()
    await isRunning(second)
    const thief = await resume(second, welcome)
    expect(await thief.closed()).toEqual({ code: 1008, reason: 'invalid-resume' })
  })

  it('hand over no session that has ended by leaving, a kick or its timeout', async () => {
    const [first, second] = [await start(), await start({ standby: true })]
    const { client, welcome } = await enter(first, 'ann')
    const { client: other, welcome: otherWelcome, playerId } = await enter(first, 'bob')
    client.send({ $case: 'disconnect', value: {} })
    first.live()?.kick(playerId, 'too loud')
    await client.closed()
    await other.closed()
    await first.close()
    await isRunning(second)
    for (const secret of [welcome, otherWelcome])
      expect(await (await resume(second, secret)).closed()).toMatchObject({ code: 1008 })
  })

  it('take the first free world of their list, and the next that becomes free', async () => {
    const tenure = { ...house.tenure, worldNames: ['default', 'arena'] }
    const first = await start({ tenure })
    await start({ tenure })
    const third = await start({ tenure, standby: true })
    await waitFor(async () => (await statesOf()).length === 3)
    expect(await statesOf()).toEqual([
      ['arena', 'ready'],
      ['default', 'ready'],
      [undefined, 'standby'],
    ])
    await first.close()
    await isRunning(third)
    expect(await statesOf()).toEqual([
      ['arena', 'ready'],
      ['default', 'ready'],
    ])
  })

  it('on standby stop at once on request', async () => {
    await start()
    const standby = await start({ standby: true })
    await standby.close()
    await waitFor(async () => (await statesOf()).length === 1)
    expect(standby.live()).toBeUndefined()
  })
})
