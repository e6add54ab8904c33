import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Int32, write } from 'nbtify'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { regionOf, writeRegion, writtenColumn } from '../../support/worlds/region-writer.ts'
import { openStoredTask, type StoredTask } from './support/stored-task.ts'

const fixtures = join(dirname(createRequire(import.meta.url).resolve('prismarine-provider-anvil')), 'test', 'fixtures')
const stone = { sections: [{ y: 0, names: ['stone'] }] }

describe('npm run world -- import of a Minecraft world', () => {
  let stored: StoredTask
  let folder: string
  beforeEach(async () => {
    stored = await openStoredTask()
    folder = join(stored.dataDir, 'saves')
    await mkdir(folder)
  })
  afterEach(() => stored.close())

  const names = async () => (await stored.task.worlds.listWorlds()).map(({ name }) => name)
  const blockAt = async (name: string, { x, y, z }: { x: number; y: number; z: number }): Promise<string> => {
    const pos = { cx: x >> 4, cz: z >> 4 }
    const registry = stored.task.createRegistry()
    const bytes = await stored.task.chunks.get(await stored.task.worlds.getWorld(name), pos)
    const decoded = decodeChunk(bytes ?? new Uint8Array(0), pos, registry)
    return decoded.ok ? registry.idOf(getBlock(decoded.chunk, x, y, z)) : decoded.fault
  }

  it('accepts a folder of region files or the world folder around it, and reports the result', async () => {
    const region = join(folder, 'region')
    await mkdir(region)
    const sections = [
      { y: -1, names: ['deepslate'] },
      { y: 3, names: ['air', 'copper_ore', 'poppy', 'grass_block'], entries: (at: number) => (at < 4 ? at : 0) },
      { y: 16, names: ['stone'] },
    ]
    await writeRegion(join(region, 'r.-1.0.mca'), [
      await writtenColumn({ cx: -3, cz: 2, sections }, 'gzip'),
      await writtenColumn({ cx: -4, cz: 2, status: 'minecraft:noise', ...stone }),
    ])
    await writeRegion(join(region, 'r.0.0.mca'), [await writtenColumn({ cx: 0, cz: 0, ...stone }, 'none')])
    const reportPath = join(stored.dataDir, 'report.json')
    for (const [name, from] of [
      ['one', folder],
      ['two', region],
    ] as const) {
      const { exit, out, err } = await stored.run(['import', from, name, '--report', reportPath])
      expect([exit, err]).toEqual([0, ''])
      expect(out).toBe(
        [
          'Imported 2 columns from 2 region files.',
          'There is no level.dat with a spawn. Set it with --spawn x,z, or /setspawn in the game.',
          'Columns left out:',
          '  1 not finished by Minecraft',
          'Blocks cut off: 4,096 below height 0, 4,096 above 255.',
          'Blocks replaced by the nearest one by material:',
          '  copper_ore: 1',
          'Blocks left out, smaller than a whole block:',
          '  poppy: 1',
          '',
        ].join('\n'),
      )
    }
    expect(JSON.parse(await readFile(reportPath, 'utf8'))).toEqual({
      files: 2,
      read: '.',
      unread: [],
      columns: 2,
      skipped: { unfinished: 1 },
      blocksCut: { below: 4096, above: 4096 },
      guessed: { copper_ore: 1 },
      leftOut: { poppy: 1 },
      faults: [],
      faultsUntold: 0,
    })
    expect(await blockAt('one', { x: -48 + 1, y: 48, z: 32 })).toBe('iron_ore')
    expect(await blockAt('two', { x: -48 + 3, y: 48, z: 32 })).toBe('grass')
    expect((await stored.run(['check', 'one'])).out).toBe('All 2 columns of one are valid.\n')
  })

  it('imports a world that Minecraft wrote', async () => {
    const { exit, out } = await stored.run(['import', join(fixtures, '1.21.1'), 'real'])
    expect([exit, out]).toEqual([0, expect.stringContaining('Imported 16 columns from 1 region file.')])
    expect((await stored.run(['check', 'real'])).out).toBe('All 16 columns of real are valid.\n')
  })

  it('skips and names damaged columns, and imports the rest', async () => {
    const good = await writtenColumn({ cx: 0, cz: 0, ...stone })
    const entries = (at: number) => (at === 9 ? 7 : 0)
    await writeRegion(join(folder, 'r.0.0.mca'), [
      good,
      { ...(await writtenColumn({ cx: 1, cz: 0, ...stone })), length: 0x7fff_ffff },
      await writtenColumn({ cx: 2, cz: 0, sections: [{ y: 0, names: ['air', 'stone'], entries }] }),
    ])
    await writeFile(join(folder, 'r.1.0.mca'), regionOf([good]).subarray(0, 5000))
    await writeFile(join(folder, 'r.2.0.mca'), 'no region at all')
    const { exit, out } = await stored.run(['import', folder, 'hurt'])
    expect(exit).toBe(0)
    expect(out).toContain('Imported 1 column from 3 region files.')
    expect(out).toContain('  2 damaged\n')
    expect(out).toContain('  column 1,0: it is longer than its sectors\n')
    expect(out).toContain('  column 2,0: an entry of a section is outside its palette\n')
    expect(out).toContain('  r.1.0.mca: it ends within its header\n')
    expect(out).toContain('  r.2.0.mca: it ends within its header\n')
  })

  it('refuses columns beyond the end of our world', async () => {
    await writeRegion(join(folder, 'r.0.0.mca'), [await writtenColumn({ cx: 0, cz: 0, ...stone })])
    const cx = 32 * 60_000
    await writeRegion(join(folder, 'r.60000.0.mca'), [await writtenColumn({ cx, cz: 0, ...stone })])
    const { exit, out } = await stored.run(['import', folder, 'far'])
    expect([exit, out]).toEqual([0, expect.stringContaining('  1 outside the bounds of a world\n')])
    expect(out).toContain(`column ${cx},0: it is outside the bounds of a world`)
  })

  it('creates no world from a folder without regions, from an old one, or under a taken name', async () => {
    expect(await stored.run(['import', folder, 'none'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no region files'),
    })
    const old = await stored.run(['import', join(fixtures, '1.17.1'), 'old'])
    expect([old.exit, old.err]).toEqual([2, expect.stringMatching(/no column .* can be imported.*\n.*Minecraft 1\.17 /)])
    expect(await names()).toEqual([])
    await stored.task.worlds.createWorld({ name: 'north' })
    const taken = await stored.run(['import', join(fixtures, '1.21.1'), 'north'])
    expect([taken.exit, taken.err]).toEqual([2, expect.stringContaining('already exists')])
  })

  const levelOf = async (data: object): Promise<Buffer> =>
    gzipSync(await write({ Data: data }, { rootName: '', endian: 'big', compression: null, bedrockLevel: false }))
  const spawnOf = async (name: string) => (await stored.task.worlds.getWorld(name)).spawn

  it('uses the spawn of level.dat, old or new, unless --spawn is given', async () => {
    const region = join(folder, 'region')
    await mkdir(region)
    await writeRegion(join(region, 'r.0.0.mca'), [await writtenColumn({ cx: 0, cz: 0, ...stone })])
    const untold = await stored.run(['import', folder, 'none'])
    expect([untold.out, await spawnOf('none')]).toEqual([expect.stringContaining('--spawn x,z'), undefined])
    await writeFile(
      join(folder, 'level.dat'),
      await levelOf({ SpawnX: new Int32(900), SpawnY: new Int32(70), SpawnZ: new Int32(-40) }),
    )
    const old = await stored.run(['import', folder, 'old'])
    expect([old.err, old.out]).toEqual(['', expect.stringContaining('Players spawn at 900 -40.')])
    expect(await spawnOf('old')).toEqual({ x: 900.5, y: 70, z: -39.5 })
    await stored.run(['import', region, 'inner'])
    expect(await spawnOf('inner')).toEqual({ x: 900.5, y: 70, z: -39.5 })
    const spawn = { pos: Int32Array.of(-5, 300, 6), dimension: 'minecraft:overworld' }
    await writeFile(join(folder, 'level.dat'), await levelOf({ spawn }))
    await stored.run(['import', folder, 'new'])
    expect(await spawnOf('new')).toEqual({ x: -4.5, y: 255, z: 6.5 })
    await stored.run(['import', folder, 'chosen', '--spawn', '-12,34'])
    expect(await spawnOf('chosen')).toEqual({ x: -11.5, z: 34.5 })
    expect(await stored.run(['import', folder, 'bad', '--spawn', '12'])).toMatchObject({ exit: 1 })
  })

  it('reads the newer of two layouts, and reports it', async () => {
    const places = [join(folder, 'region'), join(folder, 'dimensions', 'minecraft', 'overworld', 'region')]
    for (const [at, place] of places.entries()) {
      await mkdir(place, { recursive: true })
      const sections = [{ y: 0, names: [at === 0 ? 'stone' : 'dirt'] }]
      await writeRegion(join(place, 'r.0.0.mca'), [await writtenColumn({ cx: 0, cz: 0, sections })])
    }
    const { out } = await stored.run(['import', folder, 'both'])
    expect(out).toContain('Read dimensions/minecraft/overworld/region, the newer of two layouts, not region.')
    expect(await blockAt('both', { x: 1, y: 1, z: 1 })).toBe('dirt')
  })

  it('imports a renamed region file to the position in its name', async () => {
    await writeRegion(join(folder, 'r.2.-1.mca'), [await writtenColumn({ cx: 3, cz: 4, ...stone })])
    expect(await stored.run(['import', folder, 'moved'])).toMatchObject({ exit: 0 })
    expect(await blockAt('moved', { x: (64 + 3) * 16, y: 1, z: (-32 + 4) * 16 })).toBe('stone')
  })

  it('answers a zip file with what to do', async () => {
    const zip = join(folder, 'world.zip')
    await writeFile(zip, 'PK\u0003\u0004 and more')
    const { exit, err } = await stored.run(['import', zip, 'zipped'])
    expect([exit, err]).toEqual([2, expect.stringContaining('Unpack it and give the folder')])
  })
})
