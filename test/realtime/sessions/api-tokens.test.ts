import { afterEach, describe, expect, it } from '@jest/globals'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import { formatKeptSession, parseKeptSession } from '../../../shared/domain/sessions/session-store.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build', 'command.who', 'zone.history'] },
    { name: 'helper', permissions: ['command.say', 'command.kick', 'zone.build'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const openScene = async () => {
  const clock = createFixedClock()
  const node = createRealtimeFixture({ clock })
  const { loop, world, permissions, gameZones, watch } = node
  permissions.replace(groups)
  ends.push(world.close, async () => watch.close())
  const account = await node.addAccount('bob', ['helper'])
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const settle = async () => {
    await waitFor(loop.isIdle)
    tick()
  }
  const connect = async (token: string, resumeToken?: string) => {
    const client = openFakeClient(node)
    ends.push(async () => client.connection.ended())
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', token, resumeToken } })
    await settle()
    return client
  }
  type Client = Awaited<ReturnType<typeof connect>>
  const connectBot = async (scope: readonly string[], more: { readonly expiresAt?: string } = {}) => {
    const made = await node.createApiToken(account, scope, more)
    return { ...made, client: await connect(made.token) }
  }
  let seq = 0
  const run = async (client: Client, text: string) => {
    seq += 1
    client.send({ $case: 'command', value: { seq, text } })
    await waitFor(() => {
      tick()
      return client.find('commandResult')?.seq === seq
    })
    return client.find('commandResult')
  }
  const edit = async (client: Client) => {
    const { x, y, z } = client.find('welcome')?.position ?? { x: 0, y: 0, z: 0 }
    seq += 1
    const edits = [{ x: Math.floor(x) + 2, y: Math.floor(y), z: Math.floor(z), type: 'stone' }]
    client.send({ $case: 'editBlocks', value: { seq, edits } })
    await waitFor(() => {
      tick()
      return client.find('editResult')?.seq === seq
    })
    return client.find('editResult')
  }
  /** A zone around all players. */
  const addZone = (zoneParts: Partial<Zone>) => {
    const chunks = [-2, -1, 0, 1, 2].flatMap((cx) => [-2, -1, 0, 1, 2].map((cz) => ({ cx, cz })))
    const zone = createZone({ yMin: 0, yMax: 255, chunks, ...zoneParts })
    gameZones.change(zone.id, gameZoneOf(zone))
    tick()
    return zone
  }
  return { ...node, clock, account, connect, connectBot, tick, settle, run, edit, addZone }
}

describe('a session with an API token', () => {
  it('is a verified session of its owner, with the commands of both', async () => {
    const { connectBot, account, run } = await openScene()
    const { client } = await connectBot(['command.say', 'command.ban'])
    const welcome = client.find('welcome')
    expect(welcome).toMatchObject({ playerId: account.playerId, displayName: 'bob', groups: ['helper'] })
    const names = welcome?.commands.map(({ name }) => name)
    expect(names).toContain('say')
    for (const outside of ['who', 'kick', 'ban']) expect(names).not.toContain(outside)
    expect(await run(client, '/say hello')).toMatchObject({ ok: true })
    expect(await run(client, '/who')).toMatchObject({
      ok: false,
      text: '/who needs the permission command.who, which this API token does not include.',
    })
    expect(await run(client, '/ban ann@example.com stop')).toMatchObject({ ok: false })
  })

  it('does not gain permissions that its owner gets later', async () => {
    const { connectBot, accountStore, events, account, run, watch, settle } = await openScene()
    await watch.start({ accountsMs: 60_000, revocationsMs: 60_000 })
    const { client } = await connectBot(['command.who', 'command.world'])
    expect(await run(client, '/world')).toMatchObject({ ok: false })
    await accountStore.change(account.email, () => ({ next: { ...account, groups: ['admin'] }, result: undefined }))
    await events.publish('account-changed', { playerId: account.playerId, email: account.email })
    await waitFor(async () => {
      await settle()
      return client.find('permissionsChanged') !== undefined
    })
    expect(await run(client, '/world')).toMatchObject({ ok: true })
    expect(await run(client, '/kick ann@example.com')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
  })

  it.each([
    [['world.build'], true],
    [['world.*'], true],
    [['*'], true],
    [['command.who', 'zone.build'], false],
  ])('with the scope %j, building is allowed: %s', async (scope, may) => {
    const { connectBot, edit } = await openScene()
    const { client } = await connectBot(scope)
    expect(await edit(client)).toMatchObject(may ? { ok: true } : { ok: false, reason: 'missing-permission: world.build' })
  })

  it.each([
    ['that it owns, where members build', 'owner', { build: 'members', enter: 'everyone' }, ['world.build'], true],
    ['that it owns, where members build', 'owner', { build: 'members', enter: 'everyone' }, ['zone.build'], false],
    ['where everyone builds', 'no one', { build: 'everyone', enter: 'everyone' }, ['command.who'], false],
    ['with the permission', 'no one', { build: 'permission', enter: 'everyone' }, ['world.build'], false],
    ['with the permission', 'no one', { build: 'permission', enter: 'everyone' }, ['world.build', 'zone.build'], true],
  ] as const)('in a zone %s (%s), %j and the scope %j allow building: %s', async (_where, owner, rules, scope, may) => {
    const { connectBot, edit, addZone, account } = await openScene()
    addZone({ rules, ...(owner === 'owner' && { owner: account.playerId }) })
    const { client } = await connectBot(scope)
    expect((await edit(client))?.ok).toBe(may)
  })

  it.each([
    [['zone.history'], true],
    [['command.rollback'], false],
    [['world.build', 'command.who'], false],
  ])('with the scope %j, /rollback in an own zone is allowed: %s', async (scope, may) => {
    const { connectBot, run, addZone, account, permissions } = await openScene()
    addZone({ owner: account.playerId })
    const { client } = await connectBot(scope)
    expect(await run(client, `/rollback ${account.playerId} 1h`)).toMatchObject({ ok: may })
    // A group that grants the command everywhere does not take the right of an owner away.
    permissions.replace({ ...groups, groups: [{ name: 'helper', permissions: ['command.rollback', 'zone.history'] }] })
    expect((await run(client, `/rollback ${account.playerId} 1h`))?.ok).toBe(scope[0] !== 'world.build')
  })

  it('is closed with 4003 within a second of the deletion of its token', async () => {
    const { connectBot, watch, settle } = await openScene()
    await watch.start({ accountsMs: 60_000, revocationsMs: 60_000 })
    const { client, remove } = await connectBot(['*'])
    await remove()
    await waitFor(async () => {
      await settle()
      return client.socket.closedWith !== undefined
    })
    expect(client.socket.closedWith).toBe(4003)
    expect(client.find('kick')).toMatchObject({ code: 'sign-in-ended' })
  })

  it('is closed by the poll of revocations when the event is lost', async () => {
    const { connectBot, settle, watch } = await openScene()
    const { client, remove } = await connectBot(['*'])
    // The event has no subscriber.
    await remove()
    await settle()
    expect(client.socket.closedWith).toBeUndefined()
    await watch.checkRevocations()
    await settle()
    expect(client.socket.closedWith).toBe(4003)
  })

  it('is closed when its token expires', async () => {
    const { connectBot, watch, settle, clock } = await openScene()
    const { client } = await connectBot(['*'], { expiresAt: new Date(clock.now() + 60_000).toISOString() })
    await watch.start({ accountsMs: 20, revocationsMs: 60_000 })
    clock.advance(59_000)
    await settle()
    expect(client.socket.closedWith).toBeUndefined()
    clock.advance(1_000)
    await waitFor(async () => {
      await settle()
      return client.socket.closedWith !== undefined
    })
    expect(client.socket.closedWith).toBe(4003)
  })

  it('keeps its scope when it resumes', async () => {
    const { connectBot, connect, run } = await openScene()
    const { client } = await connectBot(['command.say'])
    client.connection.ended()
    const again = await connect('', client.find('welcome')?.resumeToken)
    expect(again.find('welcome')?.commands.map(({ name }) => name)).not.toContain('who')
    expect(await run(again, '/who')).toMatchObject({ ok: false })
    expect(await run(again, '/say hello')).toMatchObject({ ok: true })
  })

  it('loses its scope to a sign-in of its owner, and limits the next session again', async () => {
    const { connectBot, connect, signIn, account, run } = await openScene()
    const { client: bot, token } = await connectBot(['command.say'])
    const owner = await connect(await signIn(account))
    expect(bot.socket.closedWith).toBe(4001)
    expect(await run(owner, '/who')).toMatchObject({ ok: true })
    const next = await connect(token)
    expect(owner.socket.closedWith).toBe(4001)
    expect(await run(next, '/who')).toMatchObject({ ok: false })
  })
})

describe('a stored session with an API token', () => {
  const kept = {
    playerId: 'p',
    resumeHash: 'a'.repeat(64),
    signInId: 's',
    signedInAt: Number.MAX_SAFE_INTEGER,
    verified: true,
    wishedRadius: 8,
    place: { x: 1, y: 64, z: 2, yaw: 0, pitch: 0 },
  }

  it('is stored in form 2 with its scope and end', () => {
    const scoped = { ...kept, scope: ['command.say', 'world.*'], expiresAt: 5 }
    const text = formatKeptSession(scoped)
    expect(JSON.parse(text)[0]).toBe(2)
    expect(parseKeptSession('p', text)).toEqual(scoped)
  })

  it('is not read without its scope or its end', () => {
    const [, ...fields] = JSON.parse(formatKeptSession({ ...kept, scope: ['*'], expiresAt: 5 }))
    for (const cut of [1, 2]) expect(parseKeptSession('p', JSON.stringify([2, ...fields.slice(0, -cut)]))).toBeUndefined()
    expect(parseKeptSession('p', JSON.stringify([2, ...fields.slice(0, -2), null, 5]))).toBeUndefined()
  })
})
