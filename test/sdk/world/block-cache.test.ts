import { describe, expect, it } from '@jest/globals'
import { createBlockCache } from '../../../sdk/world/block-cache.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { blockTypes, chunkMessage, grass, groundMessage, stone, water } from '../support/block-messages.ts'

const createWorld = () => {
  const world = createBlockCache()
  world.begin(blockTypes)
  return world
}

describe('the blocks of a client', () => {
  it('are unknown without a column, and the sent blocks elsewhere', () => {
    const world = createWorld()
    world.putChunk(groundMessage(-1, 0, () => 64))
    expect(world.blockAt(0, 64, 0)).toBeUndefined()
    expect(world.findTop(0, 0)).toBeUndefined()
    expect(world.blockAt(-1, 64, 15)).toEqual({ index: grass, id: 'grass', colour: 0x40a040, solid: true })
    expect(world.blockAt(-16, 63, 0)?.id).toBe('stone')
    expect(world.blockAt(-1, 65, 15)?.id).toBe('air')
    expect(world.blockAt(-1, -1, 15)?.id).toBe('air')
    expect(world.blockAt(-1, 256, 15)?.id).toBe('air')
  })

  it('include the highest block, water too, from the top of the world or from a height', () => {
    const chunk = createChunk(0, 0)
    setBlock(chunk, { x: 1, y: 200, z: 1 }, stone)
    setBlock(chunk, { x: 1, y: 47, z: 1 }, water)
    setBlock(chunk, { x: 1, y: 0, z: 1 }, grass)
    const world = createWorld()
    world.putChunk(chunkMessage(chunk))
    expect([undefined, 300, 200, 199, 48, 47, 46, 0, -1].map((from) => world.findTop(1, 1, from))).toEqual([
      200, 200, 200, 47, 47, 47, 0, 0, -1,
    ])
    expect(world.findTop(2, 2)).toBe(-1)
  })

  it('are updated in loaded columns when new kinds arrive', () => {
    const world = createWorld()
    world.putChunk(groundMessage(0, 0, () => 10))
    world.change([{ x: 5, y: 11, z: 5, type: 'never_heard_of' }])
    const sand = { index: 90, id: 'sand', colour: 0xe0d090, solid: true }
    world.learn([...blockTypes.map((type) => (type.index === stone ? { ...type, colour: 0x111111 } : type)), sand])
    expect(world.blockAt(1, 9, 1)).toEqual({ index: stone, id: 'stone', colour: 0x111111, solid: true })
    world.change([{ x: 5, y: 11, z: 5, type: 'sand' }])
    expect(world.blockAt(5, 11, 5)).toEqual(sand)
    expect(world.placeable()).toContainEqual(sand)
  })

  it('follow changes in loaded columns, and ignore those elsewhere and outside the world', () => {
    const world = createWorld()
    world.putChunk(groundMessage(0, 0, () => 10))
    world.change([
      { x: 3, y: 200, z: 3, type: 'stone' },
      { x: 4, y: 10, z: 4, type: 'air' },
      { x: 5, y: 11, z: 5, type: 'never_heard_of' },
      { x: 16, y: 11, z: 5, type: 'stone' },
      { x: 6, y: -1, z: 6, type: 'stone' },
      { x: 6, y: 256, z: 6, type: 'stone' },
    ])
    expect(world.findTop(3, 3)).toBe(200)
    expect(world.findTop(4, 4)).toBe(9)
    expect(world.blockAt(5, 11, 5)?.id).toBe('unknown')
    expect(world.findTop(16, 5)).toBeUndefined()
    expect(world.findTop(6, 6)).toBe(10)
  })

  it('are replaced by a column that is sent again, and dropped with ChunkGone', () => {
    const world = createWorld()
    world.putChunk(groundMessage(0, 0, () => 90))
    world.putChunk(groundMessage(0, 0, () => 30))
    expect(world.findTop(0, 0)).toBe(30)
    world.dropChunk({ cx: 0, cz: 0 })
    expect(world.findTop(0, 0)).toBeUndefined()
    world.dropChunk({ cx: 0, cz: 0 })
  })

  it('hold no reference to the frame of a column', () => {
    const world = createWorld()
    const message = groundMessage(0, 0, (x) => 60 + x)
    world.putChunk(message)
    for (const { data, palette } of message.sections) {
      data.fill(0xff)
      palette.fill(0)
    }
    expect([0, 7, 15].map((x) => world.findTop(x, 3))).toEqual([60, 67, 75])
  })

  it('are at most 1,600 columns, without the oldest', () => {
    const world = createWorld()
    const empty = { cz: 0, sections: [{ y: 0, palette: [stone], bits: 0, data: Buffer.alloc(0) }] }
    for (let cx = 0; cx <= 1_600; cx += 1) world.putChunk({ cx, ...empty })
    expect(world.findTop(0, 0)).toBeUndefined()
    expect(world.findTop(16, 0)).toBe(15)
    expect(world.findTop(1_600 * 16, 0)).toBe(15)
  })

  it('start again with every Welcome, with its list of kinds', () => {
    const world = createWorld()
    expect(world.placeable().map(({ id }) => id)).toEqual(['stone', 'grass', 'water'])
    world.putChunk(groundMessage(0, 0, () => 64))
    world.begin([])
    expect(world.findTop(0, 0)).toBeUndefined()
    expect(world.placeable()).toEqual([])
    const kinds = [
      { index: 1, id: 'gone', colour: 0, solid: true, placeholder: true },
      { index: 2, id: 'stone', colour: 0, solid: true },
    ]
    world.begin(kinds)
    expect(world.placeable().map(({ id }) => id)).toEqual(['stone'])
  })

  it.each([
    ['a section above the world', { y: 16, palette: [2], bits: 0, data: Buffer.alloc(0) }],
    ['bits that there are not', { y: 0, palette: [2, 3], bits: 3, data: Buffer.alloc(1536) }],
    ['data that is too short', { y: 0, palette: [2, 3], bits: 1, data: Buffer.alloc(511) }],
    ['data without bits', { y: 0, palette: [2], bits: 0, data: Buffer.alloc(1) }],
    ['no palette', { y: 0, palette: [], bits: 0, data: Buffer.alloc(0) }],
  ])('stay the same after an invalid message: %s', (_, section) => {
    const world = createWorld()
    world.putChunk(groundMessage(0, 0, () => 64))
    expect(() => world.putChunk({ cx: 0, cz: 0, sections: [section] })).toThrow(/A section at/)
    expect(world.findTop(0, 0)).toBe(64)
  })
})
