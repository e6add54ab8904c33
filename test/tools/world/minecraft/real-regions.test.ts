import { cp, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { registryOf } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { type Chunk, getBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { createBlockNames, readBlockTable } from '../../../../tools/world/minecraft/block-names.ts'
import { createColumnConverter, createColumnCounts } from '../../../../tools/world/minecraft/convert-column.ts'
import { readMinecraftColumn } from '../../../../tools/world/minecraft/read-minecraft-column.ts'
import { readRegionFile } from '../../../../tools/world/minecraft/region-file.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

/** The used parts of `prismarine-provider-anvil`, which reads and writes region files independently of us. */
type ForeignColumn = {
  getBlock(pos: { x: number; y: number; z: number }): { name: string; getProperties(): Record<string, unknown> }
  setBlockType(pos: { x: number; y: number; z: number }, id: number): void
}
type ForeignAnvil = {
  load(cx: number, cz: number): Promise<ForeignColumn | null>
  save(cx: number, cz: number, column: ForeignColumn): Promise<void>
  close(): Promise<unknown>
}
const require = createRequire(import.meta.url)
const provider: { Anvil: (version: string) => new (folder: string) => ForeignAnvil } = require('prismarine-provider-anvil')
const fixtures = join(dirname(require.resolve('prismarine-provider-anvil')), 'test', 'fixtures')

const registry = registryOf(createFixedConfigs().get('blocks.yaml'))
const matchOf = createBlockNames(await readBlockTable(), registry)
const convert = createColumnConverter(matchOf)

const readRegion = async (path: string) => {
  const chunks: Chunk[] = []
  const skipped = new Map<string, number>()
  const counts = createColumnCounts()
  for await (const column of readRegionFile({ path, rx: 0, rz: 0 }, (fault) => skipped.set(fault, 1))) {
    const read = 'nbt' in column ? await readMinecraftColumn(column.nbt, column) : column.skip
    const made = 'reason' in read ? read : convert(read, column, counts)
    if ('reason' in made) skipped.set(made.reason, (skipped.get(made.reason) ?? 0) + 1)
    else chunks.push(made)
  }
  return { chunks, skipped, counts }
}

const expectSame = (chunk: Chunk, foreign: ForeignColumn): void => {
  for (let y = 0; y < 256; y += 1)
    for (let at = y % 5; at < 256; at += 5) {
      const [x, z] = [at & 15, at >> 4]
      const block = foreign.getBlock({ x, y, z })
      const waterlogged = block.getProperties().waterlogged === true
      const expected = registry.idOf(matchOf({ name: block.name, waterlogged }).index)
      const ownBlock = registry.idOf(getBlock(chunk, x, y, z))
      if (ownBlock !== expected)
        expect([chunk.cx, chunk.cz, x, y, z, block.name, ownBlock]).toEqual([chunk.cx, chunk.cz, x, y, z, block.name, expected])
    }
}

describe('region files that Minecraft wrote', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  beforeAll(async () => {
    folder = await createTempDir()
  })
  afterAll(() => folder.remove())

  it.each([
    ['1.18.2', 27],
    ['1.19.4', 144],
    ['1.20.6', 16],
    ['1.21.1', 16],
  ])('of %s are read as another reader reads them', async (version, finished) => {
    const copy = join(folder.path, version)
    await cp(join(fixtures, version), copy, { recursive: true })
    const { chunks, skipped, counts } = await readRegion(join(copy, 'r.0.0.mca'))
    expect([chunks.length, [...skipped.keys()]]).toEqual([finished, ['unfinished']])
    expect(counts.cutBelow).toBeGreaterThan(200_000)
    const anvil = new (provider.Anvil(version))(copy)
    try {
      for (const chunk of chunks.slice(0, 4)) {
        const foreign = await anvil.load(chunk.cx, chunk.cz)
        if (foreign === null) throw new Error('the other reader finds no column')
        expectSame(chunk, foreign)
      }
    } finally {
      await anvil.close()
    }
  })

  it.each(['1.16', '1.17.1'])('of %s are left out as too old', async (version) => {
    const name = version === '1.16' ? 'r.0.-1.mca' : 'r.0.0.mca'
    const { chunks, skipped } = await readRegion(join(fixtures, version, name))
    expect([chunks.length, [...skipped.keys()]]).toEqual([0, ['too-old']])
  })

  it('of another program are read as written', async () => {
    const [from, to] = [join(folder.path, 'from'), join(folder.path, 'to')]
    await cp(join(fixtures, '1.18.2'), from, { recursive: true })
    await mkdir(to)
    const Anvil = provider.Anvil('1.18.2')
    const [reader, writer] = [new Anvil(from), new Anvil(to)]
    const { chunks } = await readRegion(join(from, 'r.0.0.mca'))
    const { cx = 0, cz = 0 } = chunks[0] ?? {}
    const column = await reader.load(cx, cz)
    if (column === null) throw new Error('the other reader finds no column')
    for (let id = 1; id < 40; id += 1) column.setBlockType({ x: id % 16, y: 200 + (id % 3), z: id % 7 }, id)
    await writer.save(cx, cz, column)
    await Promise.all([reader.close(), writer.close()])
    const written = await readRegion(join(to, 'r.0.0.mca'))
    const [chunk] = written.chunks
    expect([...written.skipped.keys()]).toEqual([])
    expect([chunk?.cx, chunk?.cz]).toEqual([cx, cz])
    if (chunk !== undefined) expectSame(chunk, column)
  })
})
