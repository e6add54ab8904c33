import { afterEach, describe, expect, it } from '@jest/globals'
import { followReloads } from '../../../realtime/node/follow-reloads.ts'
import type { BlocksConfig } from '../../../shared/domain/worlds/blocks-config.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { flatBlocks, flatRecord } from '../../support/worlds/flat-world.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const glass = { id: 'glass', name: 'Glass', colour: '#c0f0f0', solid: true }
const [stone, grass, water] = flatBlocks.blocks
const listOf = (...blocks: (BlocksConfig['blocks'][number] | undefined)[]) => ({
  blocks: blocks.flatMap((block) => block ?? []),
})

const createScene = () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, world, configs } = fixture
  ends.push(world.close)
  followReloads({ configs, loop, server: { settingsChanged: () => undefined } })
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const tickUntil = (holds: () => boolean) =>
    waitFor(() => {
      tick()
      return holds()
    })
  const join = async (name: string) => {
    const client = openFakeClient(fixture)
    const token = await fixture.signIn(await fixture.addAccount(name))
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
    await tickUntil(() => client.find('welcome') !== undefined)
    await tickUntil(() => world.loaded.stats().loading === 0)
    return client
  }
  const reload = (...blocks: Parameters<typeof listOf>) => {
    configs.set({ blocks: listOf(...blocks) })
    tick()
  }
  return { ...fixture, tick, tickUntil, join, reload }
}

type Client = Awaited<ReturnType<ReturnType<typeof createScene>['join']>>
const countRegistries = ({ received }: Client) => received.filter(({ $case }) => $case === 'blocksRegistry').length

describe('blocks that a reload adds', () => {
  it('are sent to every session in the whole list, after existing blocks with the same indexes', async () => {
    const { join, reload } = createScene()
    const clients = [await join('ann'), await join('bob')]
    const before = clients[0]?.find('welcome')?.blocks ?? []
    reload(glass, water, stone, grass)
    for (const client of clients) {
      const marked = (client.find('blocksRegistry')?.blocks ?? []).filter(({ placeholder }) => placeholder === true)
      expect(marked.map(({ id }) => id)).toEqual(['unknown'])
      expect(before).toEqual(expect.arrayContaining(marked))
      expect(client.find('blocksRegistry')?.blocks).toEqual([
        ...before,
        { index: 5, id: 'glass', name: 'Glass', colour: 0xc0f0f0, solid: true },
      ])
      expect(countRegistries(client)).toBe(1)
    }
  })

  it('may be placed at once, and are in the Welcome and the columns of later players', async () => {
    const { join, reload, tickUntil, world } = createScene()
    const ann = await join('ann')
    const place = (seq: number) =>
      ann.send({ $case: 'editBlocks', value: { seq, edits: [{ x: 3, y: 64, z: 0, type: 'glass' }] } })
    place(1)
    await tickUntil(() => ann.find('editResult')?.seq === 1)
    expect(ann.find('editResult')).toMatchObject({ ok: false, reason: 'unknown-block' })
    reload(stone, grass, water, glass)
    place(2)
    await tickUntil(() => ann.find('editResult')?.seq === 2)
    expect(ann.find('editResult')).toMatchObject({ ok: true })
    expect(ann.find('blocksChanged')?.edits).toEqual([{ x: 3, y: 64, z: 0, type: 'glass' }])
    const bob = await join('bob')
    const index = bob.find('welcome')?.blocks.find(({ id }) => id === 'glass')?.index
    expect(index).toBe(world.registry.find('glass')?.index)
    const isHome = (message: Client['received'][number]) =>
      message.$case === 'chunk' && message.value.cx === 0 && message.value.cz === 0
    await tickUntil(() => bob.received.some(isHome))
    const home = bob.received.find(isHome)
    expect(home?.$case === 'chunk' && home.value.sections.find(({ y }) => y === 4)?.palette).toContain(index)
  })

  it('are recognised in stored columns that are sent again', async () => {
    const { join, reload, tickUntil, chunks } = createScene()
    const rich = registryOf(listOf(stone, grass, water, glass))
    const column = createChunk(2, 2)
    setBlock(column, { x: 35, y: 70, z: 33 }, rich.find('glass')?.index ?? 0)
    await chunks.putMany(flatRecord, [{ cx: 2, cz: 2, bytes: encodeChunk(column, rich) }], 1)
    const sectionOf = async (name: string) => {
      const client = await join(name)
      const find = () =>
        client.received.flatMap((message) =>
          message.$case === 'chunk' && message.value.cx === 2 && message.value.cz === 2 ? message.value.sections : [],
        )[0]
      await tickUntil(() => find() !== undefined)
      const blocks = client.find('welcome')?.blocks ?? []
      return find()?.palette.map((index) => blocks.find((block) => block.index === index)?.id)
    }
    expect(await sectionOf('ann')).toEqual(['air', 'unknown'])
    reload(stone, grass, water, glass)
    expect(await sectionOf('bob')).toEqual(['air', 'glass'])
  })
})

describe('blocks that a reload changes', () => {
  it('have their new colour and are no longer solid, under the same index', async () => {
    const { join, reload, tick, world, loop } = createScene()
    const ann = await join('ann')
    const index = world.registry.find('stone')?.index ?? 0
    for (const y of [64, 65]) world.loaded.setBlock(2, y, 0, index)
    const step = (seq: number) => ann.send({ $case: 'move', value: { seq, x: 2.5, y: 64, z: 0.5, yaw: 0, pitch: 0 } })
    step(1)
    tick()
    expect(ann.find('correction')).toMatchObject({ reason: 'blocked' })
    reload({ id: 'stone', name: 'Fog', colour: '#ffffff', solid: false }, grass, water)
    expect(ann.find('blocksRegistry')?.blocks).toContainEqual({ index, id: 'stone', name: 'Fog', colour: 0xffffff, solid: false })
    step(2)
    tick()
    expect(loop.live.listPlayers()[0]?.position).toMatchObject({ x: 2.5 })
  })

  it('are sent when a name changed, and not when only the order changed', async () => {
    const { join, reload } = createScene()
    const ann = await join('ann')
    reload(water, grass, stone)
    expect(countRegistries(ann)).toBe(0)
    reload(stone && { ...stone, name: 'Rock' }, water, grass)
    expect(ann.find('blocksRegistry')?.blocks).toContainEqual(expect.objectContaining({ id: 'stone', name: 'Rock' }))
  })
})
