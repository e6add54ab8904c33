import { describe, expect, it } from '@jest/globals'
import { PNG } from 'pngjs'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { bothDoors, type OpenDoor } from '../doors.ts'

const path = '/api/admin/worlds/default/map'
const colours = { stone: 0x808080, grass: 0x40a040, water: 0x2040c0 }
const blocks = {
  blocks: Object.entries(colours).map(([id, colour]) => ({
    id,
    name: id,
    colour: `#${colour.toString(16).padStart(6, '0')}`,
    solid: id !== 'water',
  })),
}

/** A door to a world with columns. Each position is listed from the bottom up by the ids of its blocks. */
const openMap = async (open: (options: object) => Promise<OpenDoor>) => {
  const door = await open({ as: 'admin', configs: { blocks } })
  const world = await door.worlds.getWorld(undefined).catch(() => door.worlds.createWorld({ name: 'default' }))
  const put = async (cx: number, cz: number, idsAt: (x: number, z: number) => readonly string[]) => {
    const registry = registryOf(door.configs.get('blocks.yaml'))
    const chunk = createChunk(cx, cz)
    for (let x = 0; x < 16; x += 1)
      for (let z = 0; z < 16; z += 1)
        for (const [y, id] of idsAt(x, z).entries()) setBlock(chunk, { x, y, z }, registry.intern(id))
    await door.chunks.putMany(world, [{ cx, cz, bytes: encodeChunk(chunk, registry) }], 1)
  }
  const draw = async (tile: string) => {
    const answer = await door.get(`${path}/${tile}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
    const { width, height, data } = PNG.sync.read(Buffer.from(answer.bytes))
    expect([width, height]).toEqual([256, 256])
    return { answer, at: (x: number, z: number) => [...data.subarray((z * 256 + x) * 4, (z * 256 + x) * 4 + 4)] }
  }
  return { ...door, put, draw }
}

const clear = [0, 0, 0, 0]
const stone = [0x80, 0x80, 0x80, 255]
const grass = [0x40, 0xa0, 0x40, 255]

describe.each(bothDoors)('map tiles through %s', (_name, open) => {
  it('have a pixel for each block in the colour of the highest, north-west at the top left', async () => {
    const { put, draw } = await openMap(open)
    await put(0, 0, (x, z) => (x === 3 && z === 0 ? ['stone', 'grass'] : ['stone', 'stone']))
    await put(15, 15, () => ['grass'])
    await put(-1, 0, () => ['grass'])
    const { at } = await draw('0/0/0.png')
    expect([at(3, 0), at(4, 0), at(15, 15), at(16, 0), at(255, 255)]).toEqual([grass, stone, stone, clear, grass])
    const west = await draw('0/-1/0.png')
    expect([west.at(255, 0), west.at(239, 0)]).toEqual([grass, clear])
  })

  it('follow changes of the colours in blocks.yaml at once', async () => {
    const { put, draw, configs } = await openMap(open)
    await put(0, 0, () => ['stone'])
    expect((await draw('0/0/0.png')).at(3, 0)).toEqual(stone)
    const red = blocks.blocks.map((block) => (block.id === 'stone' ? { ...block, colour: '#ff0000' } : block))
    configs.set({ blocks: { blocks: red } })
    expect((await draw('0/0/0.png')).at(3, 0)).toEqual([255, 0, 0, 255])
  })

  it('are shaded by the block to the north, also across tiles, and water by its depth', async () => {
    const { put, draw } = await openMap(open)
    await put(0, -1, () => ['stone', 'stone'])
    await put(0, 0, (_x, z) => (z === 5 ? ['stone', 'stone'] : ['stone']))
    await put(1, 0, (x) => ['stone', ...Array.from({ length: x + 1 }, () => 'water')])
    const { at } = await draw('0/0/0.png')
    const shaded = (light: number) => [...[0x80, 0x80, 0x80].map((part) => Math.floor(part * light)), 255]
    expect([at(0, 0), at(0, 4), at(0, 5), at(0, 6)]).toEqual([shaded(0.94), stone, shaded(1.06), shaded(0.94)])
    const blue = (x: number) => at(16 + x, 3)
    expect(blue(0)).toEqual([69, 88, 164, 255])
    expect(blue(8)).toEqual([28, 56, 170, 255])
  })

  it('show the world cut off at a height', async () => {
    const { put, draw, get } = await openMap(open)
    await put(0, 0, () => ['stone', 'grass', 'water'])
    expect((await draw('0/0/0.png?y=1')).at(0, 0)).toEqual(grass)
    expect((await draw('0/0/0.png?y=0')).at(0, 0)).toEqual(stone)
    expect((await get(`${path}/0/1/0.png?y=0`)).status).toBe(204)
  })

  it('halve with each zoom: a pixel is the mean of four', async () => {
    const { put, draw } = await openMap(open)
    await put(0, 0, (x) => (x % 2 === 0 ? ['stone'] : ['grass']))
    await put(16, 16, () => ['grass'])
    const { at } = await draw('1/0/0.png')
    const mean = [0x60, 0x90, 0x60, 255]
    expect([at(0, 0), at(7, 7), at(8, 0), at(128, 128), at(127, 127)]).toEqual([mean, mean, clear, grass, clear])
    const far = await draw('5/0/0.png')
    expect([far.at(0, 0), far.at(1, 0), far.at(8, 8)]).toEqual([mean, clear, grass])
  })

  it('answer 304 until their content changes, and the new image within a second', async () => {
    const { put, draw, get, clock } = await openMap(open)
    await put(0, 0, () => ['stone'])
    const { answer } = await draw('0/0/0.png')
    const { etag = '' } = answer.headers
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    const again = () => get(`${path}/0/0/0.png`, { 'if-none-match': etag })
    expect((await again()).status).toBe(304)
    clock.advance(1000)
    expect((await again()).status).toBe(304)
    await put(0, 0, () => ['grass'])
    clock.advance(1000)
    const changed = await again()
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false])
    expect([...PNG.sync.read(Buffer.from(changed.bytes)).data.subarray(0, 4)]).toEqual(grass)
  })

  it('are current at every zoom after a node reports a change, and otherwise cached', async () => {
    const { put, draw, clock, nodeReports, worlds } = await openMap(open)
    const { id: worldId } = await worlds.getWorld('default')
    const tell = (last: number, tiles: readonly object[]) =>
      nodeReports.tell('tiles', 'node', JSON.stringify({ worldId, since: 0, last, tiles }))
    await put(0, 0, () => ['stone'])
    await put(40, 0, () => ['stone'])
    await tell(0, [])
    await draw('5/0/0.png')
    clock.advance(1000)
    await draw('5/0/0.png')
    await put(0, 0, () => ['grass'])
    await put(40, 0, () => ['grass'])
    clock.advance(10_000)
    await tell(1, [{ tx: 0, tz: 0, at: 1 }])
    for (const zoom of [5, 4, 3, 2, 1, 0]) {
      const { at } = await draw(`${zoom}/0/0.png`)
      expect([zoom, at(0, 0)]).toEqual([zoom, grass])
    }
    expect((await draw('5/0/0.png')).at(20, 0)).toEqual(stone)
    // A node reports more changes than it can list.
    await nodeReports.tell('tiles', 'node', JSON.stringify({ worldId, since: 2, last: 2, tiles: [] }))
    clock.advance(1000)
    expect((await draw('5/0/0.png')).at(20, 0)).toEqual(grass)
  })

  it('answer 204 when nothing is generated, and an image once there is', async () => {
    const { put, draw, get, clock } = await openMap(open)
    for (const zoom of [0, 1, 5]) expect((await get(`${path}/${zoom}/0/0.png`)).status).toBe(204)
    await put(0, 0, () => ['stone'])
    clock.advance(300_000)
    expect((await draw('5/0/0.png')).at(0, 0)).toEqual(stone)
  })

  it.each([
    ['default/map/6/0/0.png', 400],
    ['default/map/99/0/0.png', 400],
    ['default/map/-1/0/0.png', 400],
    ['default/map/0.5/0/0.png', 400],
    ['default/map/0/0/0.jpg', 400],
    ['default/map/0/0/x.png', 400],
    ['default/map/0/117188/0.png', 400],
    ['default/map/0/0/117188.png', 400],
    ['default/map/5/0/3663.png', 400],
    ['default/map/0/0/0.png?y=300', 400],
    ['default/map/0/0/0.png?y=-1', 400],
    ['default/map/0/0/0.png?z=1', 400],
    ['no.name/map/0/0/0.png', 400],
    ['nowhere/map/0/0/0.png', 404],
    ['default/map/0/117187/-117188.png', 204],
    ['default/map/5/3662/-3663.png', 204],
  ])('%s answers %i', async (tile, status) => {
    const { get } = await openMap(open)
    expect((await get(`/api/admin/worlds/${tile}`)).status).toBe(status)
  })

  it('omit a damaged column', async () => {
    const { put, draw, chunks, worlds } = await openMap(open)
    await put(0, 0, () => ['stone'])
    await chunks.putMany(await worlds.getWorld('default'), [{ cx: 1, cz: 0, bytes: new Uint8Array(30) }], 1)
    const { at } = await draw('0/0/0.png')
    expect([at(0, 0), at(16, 0)]).toEqual([stone, clear])
  })
})
