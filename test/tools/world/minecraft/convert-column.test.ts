import { describe, expect, it } from '@jest/globals'
import { registryOf } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { getBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { createBlockNames, readBlockTable } from '../../../../tools/world/minecraft/block-names.ts'
import { createColumnConverter, createColumnCounts } from '../../../../tools/world/minecraft/convert-column.ts'
import { readMinecraftColumn } from '../../../../tools/world/minecraft/read-minecraft-column.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { columnNbt, type WrittenChunk } from '../../../support/worlds/region-writer.ts'

const registry = registryOf(createFixedConfigs().get('blocks.yaml'))
const convertColumn = createColumnConverter(createBlockNames(await readBlockTable(), registry))

const convert = async (written: Partial<WrittenChunk> & Pick<WrittenChunk, 'sections'>) => {
  const pos = { cx: 5, cz: -7 }
  const counts = createColumnCounts()
  const read = await readMinecraftColumn(await columnNbt({ ...pos, ...written }), pos)
  if ('reason' in read) return { skip: read, counts }
  const chunk = convertColumn(read, pos, counts)
  return 'reason' in chunk ? { skip: chunk, counts } : { chunk, counts }
}
const idAt = (chunk: Parameters<typeof getBlock>[0] | undefined, x: number, y: number, z: number): string =>
  chunk === undefined ? 'no chunk' : registry.idOf(getBlock(chunk, x, y, z))

const rainbow = [
  'air',
  'stone',
  'dirt',
  'sand',
  'gravel',
  'clay',
  'bedrock',
  'water',
  'ice',
  'glass',
  'bricks',
  'obsidian',
  'cactus',
]

describe('a Minecraft column', () => {
  it.each([1, 2, 3, 5, 13, 16, 17, 33, 65, 200, 4096])('has each block in its place with a palette of %i', async (names) => {
    const palette = Array.from({ length: names }, (_, n) => rainbow[n % rainbow.length] ?? 'air')
    const entries = (at: number) => (at * 7) % names
    const section = names === 1 ? { y: 3, names: ['stone'] } : { y: 3, names: palette, entries }
    const { chunk } = await convert({ sections: [section] })
    for (let at = 0; at < 4096; at += 1) {
      const expected = names === 1 ? 'stone' : palette[entries(at)]
      const [x, y, z] = [at & 15, 48 + (at >> 8), (at >> 4) & 15]
      if (idAt(chunk, x, y, z) !== expected) expect([x, y, z, idAt(chunk, x, y, z)]).toEqual([x, y, z, expected])
    }
  })

  it('is cut below height 0 and above 255, with a count of the lost blocks other than air', async () => {
    const { chunk, counts } = await convert({
      sections: [
        { y: -4, names: ['bedrock'] },
        { y: -1, names: ['air', 'stone'], entries: (at) => (at < 100 ? 1 : 0) },
        { y: 0, names: ['dirt'] },
        { y: 15, names: ['sand'] },
        { y: 16, names: ['cave_air', 'snow_block'], entries: (at) => (at < 7 ? 1 : 0) },
        { y: 19, names: ['air'] },
      ],
    })
    expect([counts.cutBelow, counts.cutAbove]).toEqual([4196, 7])
    expect([0, 15, 16, 240, 255].map((y) => idAt(chunk, 0, y, 0))).toEqual(['dirt', 'dirt', 'air', 'sand', 'sand'])
  })

  it('counts guesses and omissions by name, and only blocks that exist in it', async () => {
    const names = ['air', 'copper_ore', 'poppy', 'melon']
    const { counts } = await convert({ sections: [{ y: 0, names, entries: (at) => (at < 30 ? 1 : at < 42 ? 2 : 0) }] })
    expect([[...counts.guessed], [...counts.leftOut]]).toEqual([[['copper_ore', 30]], [['poppy', 12]]])
  })

  it('keeps the water of a waterlogged plant', async () => {
    const { chunk } = await convert({ sections: [{ y: 0, names: ['tube_coral'], waterlogged: true }] })
    expect(idAt(chunk, 1, 2, 3)).toBe('water')
  })

  it.each([
    [
      'an entry is outside of the palette',
      { y: 0, names: ['air', 'stone', 'dirt'], entries: (at: number) => (at === 4095 ? 3 : 0) },
      'outside its palette',
    ],
    ['its data is too short', { y: 0, names: ['air', 'stone'], longs: new BigInt64Array(255) }, 'wrong length'],
    ['its data is too long', { y: 0, names: ['air', 'stone'], longs: new BigInt64Array(257) }, 'wrong length'],
    ['several blocks have no data', { y: 0, names: ['air', 'stone'] }, 'has no data'],
    ['its palette is empty', { y: 0, names: [] }, 'no palette'],
  ])('is damaged where %s, and adds nothing to the counts', async (_, section, fault) => {
    const { skip, counts } = await convert({ sections: [{ y: -1, names: ['stone'] }, { y: 1, names: ['melon'] }, section] })
    expect(skip).toEqual({ reason: 'damaged', detail: expect.stringContaining(fault) })
    expect(counts).toEqual(createColumnCounts())
  })

  it('is skipped when it is unfinished, too old, or stored in the wrong place', async () => {
    const sections = [{ y: 0, names: ['stone'] }]
    expect((await convert({ sections, status: 'minecraft:features' })).skip?.reason).toBe('unfinished')
    expect((await convert({ sections, status: 'full' })).skip).toBeUndefined()
    const old = (await convert({ sections, dataVersion: 2730 })).skip
    expect(old).toEqual({ reason: 'too-old', detail: expect.stringContaining('Minecraft 1.17') })
    expect((await convert({ sections, cx: 6 })).skip).toEqual({
      reason: 'damaged',
      detail: 'its position belongs to another column',
    })
  })
})
