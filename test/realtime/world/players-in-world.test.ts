import { afterEach, describe, expect, it } from '@jest/globals'
import { readSavedPosition } from '../../../shared/domain/players/player-state.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

/** Cleanups of a test. */
const ends: (() => Promise<void>)[] = []

const createScene = () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, world } = fixture
  ends.push(world.close)
  const tick = (milliseconds = 50) => {
    clock.advance(milliseconds)
    loop.tick(clock.monotonic())
  }
  const tickUntil = (holds: () => boolean | Promise<boolean>) =>
    waitFor(async () => {
      tick()
      return holds()
    })
  const connect = async (token: string) => {
    const client = openFakeClient(fixture)
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
    await waitFor(loop.isIdle)
    tick()
    await tickUntil(() => world.loaded.stats().loading === 0)
    return client
  }
  const stone = world.registry.find('stone')?.index ?? 0
  const positionOf = (name: string) => loop.live.listPlayers().find(({ displayName }) => displayName === name)?.position
  return { ...fixture, clock, tick, tickUntil, connect, stone, positionOf }
}

type Scene = ReturnType<typeof createScene>
type Client = Awaited<ReturnType<Scene['connect']>>

const join = async (scene: Scene, name: string, groups?: readonly string[]) => {
  const account = await scene.addAccount(name, groups)
  return { account, client: await scene.connect(await scene.signIn(account)) }
}

const moveTo = (client: Client, seq: number, x: number, y = 64, z = 0.5) =>
  client.send({ $case: 'move', value: { seq, x, y, z, yaw: 0, pitch: 0 } })

/** Puts a player at the edge of generated land; returns their corrections except for the teleport. */
const leadToEdge = async () => {
  const scene = createScene()
  const joined = await join(scene, 'ann')
  scene.loop.live.teleport(joined.account.playerId, { x: 100_000.5, y: 64, z: 0.5, yaw: 0, pitch: 0 })
  scene.tick()
  const corrections = () => joined.client.received.flatMap(({ $case, value }) => ($case === 'correction' ? [value] : []))
  return { scene, ...joined, told: () => corrections().filter(({ reason }) => reason !== 'teleport') }
}

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

describe('a player among blocks', () => {
  it('joins on the ground, walks on it, and not through a wall', async () => {
    const scene = createScene()
    const { client } = await join(scene, 'ann')
    expect(scene.positionOf('ann')).toMatchObject({ x: 0.5, y: 64, z: 0.5 })
    for (const y of [64, 65]) scene.world.loaded.setBlock(3, y, 0, scene.stone)
    moveTo(client, 1, 2.5)
    moveTo(client, 2, 4.5)
    scene.tick()
    expect(client.find('correction')).toMatchObject({ seq: 2, position: { x: 2.5, y: 64, z: 0.5 }, reason: 'blocked' })
    expect(scene.positionOf('ann')).toMatchObject({ x: 2.5 })
  })

  it('is not charged for steps into a wall', async () => {
    const scene = createScene()
    const { client } = await join(scene, 'ann')
    for (const y of [64, 65]) scene.world.loaded.setBlock(3, y, 0, scene.stone)
    for (let seq = 1; seq <= 20; seq += 1) moveTo(client, seq, 10.5)
    moveTo(client, 21, -9.5)
    scene.tick()
    expect(scene.positionOf('ann')).toMatchObject({ x: -9.5 })
  })

  it('is corrected at the edge of the land once a second, not with each step', async () => {
    const { scene, client, told } = await leadToEdge()
    for (let seq = 1; seq <= 5; seq += 1) moveTo(client, seq, 100_001.5)
    scene.tick()
    expect(told()).toMatchObject([{ seq: 1, reason: 'edge', position: { x: 100_000.5 } }])
    // A client that ignores corrections is soon farther away than any allowed step.
    for (let seq = 6; seq <= 40; seq += 1) {
      moveTo(client, seq, 99_996.5 + seq)
      scene.tick()
    }
    expect(told().map(({ seq, reason }) => [seq, reason])).toEqual([
      [1, 'edge'],
      [25, 'edge'],
    ])
    await scene.tickUntil(() => scene.world.loaded.find(6250, 0) !== undefined)
    moveTo(client, 41, 100_001.5)
    scene.tick()
    expect(scene.positionOf('ann')).toMatchObject({ x: 100_001.5 })
    moveTo(client, 42, 100_090.5)
    scene.tick()
    expect(told().at(-1)).toMatchObject({ seq: 42, reason: 'too-fast' })
  })
})

describe('a player whose last step at the edge of the land was ignored', () => {
  const leaveOff = async () => {
    const edge = await leadToEdge()
    for (let seq = 1; seq <= 3; seq += 1) moveTo(edge.client, seq, 100_000.5 + seq)
    edge.scene.tick()
    return { ...edge, ticks: (count: number) => Array.from({ length: count }, () => edge.scene.tick()) }
  }

  it('is corrected once after the second, even without another step', async () => {
    const { told, ticks } = await leaveOff()
    ticks(19)
    expect(told()).toHaveLength(1)
    ticks(1)
    expect(told()).toMatchObject([{ seq: 1 }, { seq: 3, reason: 'edge', position: { x: 100_000.5, y: 64, z: 0.5 } }])
    ticks(100)
    expect(told()).toHaveLength(2)
  })

  it('is not corrected after an accepted step', async () => {
    const { client, told, ticks } = await leaveOff()
    moveTo(client, 4, 100_000.5)
    ticks(40)
    expect(told()).toHaveLength(1)
  })

  it('is not corrected after a step that was answered', async () => {
    const { client, told, ticks } = await leaveOff()
    moveTo(client, 4, 100_000.5, -5)
    ticks(40)
    expect(told().map(({ seq, reason }) => [seq, reason])).toEqual([
      [1, 'edge'],
      [4, 'out-of-bounds'],
    ])
  })

  it('is not corrected after a teleport', async () => {
    const { scene, account, told, ticks } = await leaveOff()
    scene.loop.live.teleport(account.playerId, { x: 200_000.5, y: 64, z: 0.5, yaw: 0, pitch: 0 })
    ticks(40)
    expect(told()).toHaveLength(1)
  })

  it('is not corrected on another connection, which begins at the right position', async () => {
    const { scene, account, ticks } = await leaveOff()
    const next = openFakeClient(scene)
    const token = await scene.signIn(account)
    next.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
    await waitFor(scene.loop.isIdle)
    ticks(40)
    expect(next.find('welcome')).toMatchObject({ position: { x: 100_000.5 } })
    expect(next.find('correction')).toBeUndefined()
  })

  it('is refused as too fast for a position that is out of reach', async () => {
    const { client, told, ticks } = await leaveOff()
    ticks(5)
    moveTo(client, 4, 100_500.5)
    moveTo(client, 5, 100_012.5)
    moveTo(client, 6, 100_000.5, 300)
    ticks(1)
    expect(told().map(({ seq, reason }) => [seq, reason])).toEqual([
      [1, 'edge'],
      [4, 'too-fast'],
      [6, 'too-fast'],
    ])
  })
})

describe('the place of a player', () => {
  it('is the same when they join again', async () => {
    const scene = createScene()
    const { account, client } = await join(scene, 'ann')
    moveTo(client, 1, 5.5)
    client.send({ $case: 'disconnect', value: {} })
    scene.tick()
    expect(scene.positionOf('ann')).toBeUndefined()
    await scene.connect(await scene.signIn(account))
    expect(scene.positionOf('ann')).toMatchObject({ x: 5.5, y: 64, z: 0.5 })
  })

  it('is in the store soon after they leave, and after the last tick for all players', async () => {
    const scene = createScene()
    const [ann, bob] = [await join(scene, 'ann'), await join(scene, 'bob')]
    const stored = async ({ account }: typeof ann) =>
      (await readSavedPosition(scene.store, scene.world.record.id, account.playerId))?.x
    moveTo(ann.client, 1, 3.5)
    ann.client.send({ $case: 'disconnect', value: {} })
    await scene.tickUntil(async () => (await stored(ann)) === 3.5)
    moveTo(bob.client, 1, 7.5)
    scene.tick()
    ends.length = 0
    await scene.world.close()
    expect(await stored(bob)).toBe(7.5)
  })
})

describe('a player whose connection is lost', () => {
  it('has their place in the store soon after, not only when the session ends', async () => {
    const scene = createScene()
    const { account, client } = await join(scene, 'ann')
    moveTo(client, 1, 3.5)
    scene.tick()
    client.connection.ended()
    const stored = async () => (await readSavedPosition(scene.store, scene.world.record.id, account.playerId))?.x
    // Less than the interval of ten seconds for all players who moved.
    for (let ticks = 0; ticks < 20 && (await stored()) !== 3.5; ticks += 1) scene.tick(10)
    expect(await stored()).toBe(3.5)
  })

  it('keeps no columns in memory, however often they join and leave', async () => {
    const scene = createScene()
    const { account, client } = await join(scene, 'ann')
    expect(scene.world.streaming.stats().views).toBe(1)
    await scene.connect(await scene.signIn(account))
    expect([client.socket.closedWith, scene.world.streaming.stats().views]).toEqual([4001, 1])
    const last = await scene.connect(await scene.signIn(account))
    last.connection.ended()
    scene.tick()
    expect(scene.world.streaming.stats().views).toBe(0)
  })
})

describe('/tp in the game', () => {
  it('takes a player to the ground of land that is not generated yet', async () => {
    const scene = createScene()
    const { client } = await join(scene, 'mo', ['moderator'])
    client.send({ $case: 'command', value: { seq: 1, text: '/tp 5000.5 200 -5000.5' } })
    await scene.tickUntil(() => client.find('commandResult') !== undefined)
    expect(client.find('commandResult')).toMatchObject({ ok: true, text: 'You are at 5000.5 64 -5000.5.' })
    scene.tick()
    expect(scene.positionOf('mo')).toMatchObject({ x: 5000.5, y: 64, z: -5000.5 })
  })
})
