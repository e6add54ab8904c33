import { afterEach, describe, expect, it } from '@jest/globals'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import {
  readDisabledCommands,
  readSavedPosition,
  savedPositionId,
  savedPositions,
} from '../../../shared/domain/players/player-state.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build', 'command.who', 'zone.history'] },
    { name: 'builder', permissions: ['zone.build', 'world.fly', 'command.say', 'command.kick'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}
const passwordHash = '$2b$04$abcdefghijklmnopqrstuuJ2mVQ1F6DbG0nUQeX0VQe1w8mVYJ0mS'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const openScene = async (parts: Partial<Account> = { passwordHash }) => {
  const clock = createFixedClock()
  const node = createRealtimeFixture({ clock })
  const { loop, world, permissions, accountStore, gameZones } = node
  permissions.replace(groups)
  ends.push(world.close)
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const change = (next: Partial<Account>) =>
    accountStore.change('bob@example.com', (current) => {
      const changed = current && { ...current, ...next }
      return { next: changed, result: changed }
    })
  await node.addAccount('bob', ['builder'])
  const account = await change(parts)
  if (account === undefined) throw new Error('there is no account')
  const connect = async (verified: boolean, resumeToken?: string) => {
    const client = openFakeClient(node)
    ends.push(async () => client.connection.ended())
    const token = resumeToken === undefined ? await node.signIn(account, verified) : ''
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', token, resumeToken } })
    await waitFor(loop.isIdle)
    tick()
    return client
  }
  type Client = Awaited<ReturnType<typeof connect>>
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
  return { ...node, clock, account, change, connect, tick, run, edit, addZone }
}

describe('an unverified session of an account with a password', () => {
  it('has the groups, grants and commands of a new account', async () => {
    const grant = { id: 'g', permission: 'command.announce', by: 'operator', at: new Date().toISOString() }
    const { connect, run, account } = await openScene({ passwordHash, grants: [grant] })
    const stranger = await connect(false)
    const welcome = stranger.find('welcome')
    expect(welcome).toMatchObject({ playerId: account.playerId, groups: ['player'], grants: [], mayFly: undefined })
    expect(welcome?.commands.map(({ name }) => name)).not.toContain('say')
    expect(await run(stranger, '/say hello')).toMatchObject({ ok: false, data: { code: 'password-sign-in-needed' } })
    expect(await run(stranger, '/tp 1 64 1')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
    const owner = await connect(true)
    expect(owner.find('welcome')).toMatchObject({ groups: ['builder'], grants: [{ id: 'g' }], mayFly: true })
    expect(await run(owner, '/say hello')).toMatchObject({ ok: true })
  })

  it.each([
    ['zone.build in a zone that asks for it', {}, false],
    ['that it owns, where members build', { rules: { build: 'members', enter: 'everyone' } as const }, false],
    ['where everybody builds', { rules: { build: 'everyone', enter: 'everyone' } as const }, true],
  ])('builds %s: %j, %s', async (_where, parts, may) => {
    const { connect, edit, addZone, account } = await openScene()
    addZone({ owner: account.playerId, members: [account.playerId], ...parts })
    expect((await edit(await connect(false)))?.ok).toBe(may)
    expect((await edit(await connect(true)))?.ok).toBe(true)
  })

  it('cannot use a grant for a zone that members may build in', async () => {
    const { connect, edit, addZone, change } = await openScene()
    const { id } = addZone({ rules: { build: 'members', enter: 'everyone' } })
    await change({ grants: [{ id: 'g', permission: 'zone.build', zone: id, by: 'operator', at: new Date().toISOString() }] })
    expect((await edit(await connect(false)))?.ok).toBe(false)
    expect((await edit(await connect(true)))?.ok).toBe(true)
  })

  it('reads no history of its own zones', async () => {
    const { connect, run, addZone, account } = await openScene()
    addZone({ owner: account.playerId })
    const stranger = await connect(false)
    expect(await run(stranger, '/inspect 1 64 1')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
  })

  it('changes no stored data of the account', async () => {
    const { connect, run, addAccount, account, store, world, tick, loop } = await openScene()
    await addAccount('eve', ['player'])
    const own = { x: 40.5, y: 70, z: 40.5, yaw: 0, pitch: 0 }
    await store.put(savedPositions, savedPositionId(world.record.id, account.playerId), own)
    const stranger = await connect(false)
    expect(stranger.find('welcome')?.position).not.toMatchObject({ x: own.x, z: own.z })
    const lines = [
      '/command:disable who',
      '/command:enable who',
      '/ignore eve',
      '/ignore',
      '/unignore eve',
      '/undo',
      '/report eve griefs',
    ]
    for (const line of lines)
      expect([line, (await run(stranger, line))?.data]).toMatchObject([line, { code: 'password-sign-in-needed' }])
    expect(loop.live.listPlayers()).toMatchObject([{ playerId: account.playerId, isLimited: true }])
    expect(loop.linked.here.listConnected()).toMatchObject([{ playerId: account.playerId, limited: true }])
    expect(stranger.find('welcome')?.commands.map(({ name }) => name)).not.toContain('ignore')
    stranger.send({ $case: 'preferences', value: { disabledCommands: { names: ['who'] } } })
    tick()
    await waitFor(loop.isIdle)
    tick()
    expect(stranger.find('error')).toMatchObject({ code: 'password-sign-in-needed' })
    expect(await readDisabledCommands(store, account.playerId)).toEqual(new Set())
    await world.places.flush()
    expect(await readSavedPosition(store, world.record.id, account.playerId)).toEqual(own)
    const owner = await connect(true)
    expect(stranger.find('kick')).toMatchObject({ code: 'displaced' })
    expect(owner.find('welcome')?.position).toMatchObject({ x: own.x, z: own.z })
    expect(await run(owner, '/command:disable who')).toMatchObject({ ok: true })
  })

  it('neither reads nor acknowledges the warnings of the account', async () => {
    const { connect, sanctions, activeSanctions, account, clock, tick, loop } = await openScene()
    await sanctions.impose(createOperator('test'), { kind: 'warning', email: account.email, reason: 'no caps' })
    await activeSanctions.start()
    ends.push(async () => activeSanctions.close())
    const warningsOf = (client: Awaited<ReturnType<typeof connect>>) =>
      client.received.filter((message) => message.$case === 'notice' && message.value.kind === 'warning')
    const listen = async (client: Awaited<ReturnType<typeof connect>>) => {
      clock.advance(2_500)
      client.send({ $case: 'ping', value: { nonce: 1 } })
      tick()
      await waitFor(loop.isIdle)
      tick()
    }
    const stranger = await connect(false)
    await listen(stranger)
    const owner = await connect(true)
    expect([warningsOf(stranger), warningsOf(owner).length]).toEqual([[], 1])
  })

  it('is limited at once when the account gains a password', async () => {
    const { connect, change, loop, tick, run, account } = await openScene({})
    const client = await connect(false)
    expect(client.find('welcome')?.groups).toEqual(['builder'])
    expect(await run(client, '/say hello')).toMatchObject({ ok: true })
    loop.accounts.accountRead(account.playerId, await change({ passwordHash }))
    tick()
    const told = client.find('permissionsChanged')
    expect(told).toMatchObject({ groups: ['player'] })
    expect(told?.commands.map(({ name }) => name)).not.toContain('say')
    expect(await run(client, '/say hello')).toMatchObject({ ok: false, data: { code: 'password-sign-in-needed' } })
  })

  it('is notified of changed default groups', async () => {
    const { connect, permissions, loop, tick } = await openScene()
    const client = await connect(false)
    permissions.replace({
      groups: [...groups.groups, { name: 'guest', permissions: ['world.build'] }],
      defaultGroups: ['guest'],
    })
    loop.accounts.groupsChanged()
    tick()
    expect(client.find('permissionsChanged')).toMatchObject({ groups: ['guest'] })
  })
})

describe('an unverified sign-in', () => {
  it('is refused by Kick `in-use` while a verified session of the account is open or resumable', async () => {
    const { connect, tick } = await openScene()
    const owner = await connect(true)
    const stranger = await connect(false)
    expect(stranger.received.map(({ $case }) => $case)).toEqual(['kick'])
    expect(stranger.find('kick')).toMatchObject({ code: 'in-use' })
    expect(stranger.socket.closedWith).toBe(4001)
    expect(owner.find('kick')).toBeUndefined()
    const { resumeToken } = owner.find('welcome') ?? {}
    owner.connection.ended()
    tick()
    expect((await connect(false)).find('kick')).toMatchObject({ code: 'in-use' })
    expect((await connect(true, resumeToken)).find('welcome')).toMatchObject({ groups: ['builder'] })
  })

  it('is displaced by a verified one, and learns nothing of its permissions', async () => {
    const { connect } = await openScene()
    const stranger = await connect(false)
    const owner = await connect(true)
    expect(owner.find('welcome')).toMatchObject({ groups: ['builder'] })
    expect(stranger.find('kick')).toMatchObject({ code: 'displaced' })
    expect(stranger.find('permissionsChanged')).toBeUndefined()
  })

  it('displaces another unverified one, and keeps the groups of an account without a password', async () => {
    const { connect } = await openScene({})
    const [first, second] = [await connect(false), await connect(false)]
    expect(first.find('kick')).toMatchObject({ code: 'displaced' })
    expect(second.find('welcome')).toMatchObject({ groups: ['builder'], mayFly: true })
  })
})
