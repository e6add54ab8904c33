import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { PNG } from 'pngjs'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { WorldRecord } from '../../../../shared/domain/worlds/world.ts'
import { createChunk, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { createMapFrame } from '../../../../tools/world/map/draw-map.ts'
import { openStoredTask, type StoredTask } from '../support/stored-task.ts'

describe('npm run world -- map', () => {
  let stored: StoredTask
  let world: WorldRecord
  let path: string
  beforeEach(async () => {
    stored = await openStoredTask()
    world = await stored.task.worlds.createWorld({ name: 'north' })
    path = join(stored.dataDir, 'map.png')
  })
  afterEach(() => stored.close())

  const put = async (cx: number, cz: number, bytes: Uint8Array): Promise<void> => {
    const lease = await stored.lease(world)
    await stored.task.chunks.putMany(world, [{ cx, cz, bytes }], lease.fence)
    await lease.release()
  }
  /** Stores a column with these block ids at each position, from the bottom up. */
  const putColumn = async (cx: number, cz: number, idsAt: (x: number, z: number) => readonly string[]): Promise<void> => {
    const registry = stored.task.createRegistry()
    const chunk = createChunk(cx, cz)
    for (let x = 0; x < 16; x += 1)
      for (let z = 0; z < 16; z += 1)
        for (const [y, id] of idsAt(x, z).entries()) setBlock(chunk, { x, y, z }, registry.intern(id))
    await put(cx, cz, encodeChunk(chunk, registry))
  }
  const draw = async (...options: string[]) => {
    const ran = await stored.run(['map', 'north', path, ...options])
    if (ran.exit !== 0) return { ran, width: 0, height: 0, at: () => [0, 0, 0, 0] }
    const { width, height, data } = PNG.sync.read(await readFile(path))
    return { ran, width, height, at: (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] }
  }
  const colourOf = (id: string): number[] => {
    const colour = stored.task.createRegistry().find(id)?.colour ?? 0
    return [colour >> 16, (colour >> 8) & 255, colour & 255, 255]
  }
  const brightness = ([red = 0, green = 0, blue = 0]: readonly number[]): number => red + green + blue

  it('shows the highest block of each position in its colour, north at the top', async () => {
    await putColumn(0, 0, (x, z) => (x === 3 && z === 0 ? ['stone', 'sand'] : ['stone', 'grass']))
    const { width, height, at, ran } = await draw()
    expect([width, height]).toEqual([16, 16])
    expect([at(3, 0), at(4, 0), at(4, 9)]).toEqual([colourOf('sand'), colourOf('grass'), colourOf('grass')])
    expect(ran.out).toBe('Drew 1 column of north on 16 × 16 pixels.\n')
  })

  it('covers the generated columns, and is transparent elsewhere', async () => {
    await putColumn(-2, 0, () => ['stone'])
    await putColumn(1, 3, () => ['sand'])
    const { width, height, at } = await draw()
    expect([width, height]).toEqual([64, 64])
    expect([at(0, 0), at(63, 63), at(63, 0)]).toEqual([colourOf('stone'), colourOf('sand'), [0, 0, 0, 0]])
  })

  it('is brighter where the ground rises to the south and darker where it falls', async () => {
    await putColumn(0, 0, (_, z) => (z === 5 ? ['stone', 'stone'] : ['stone']))
    await putColumn(0, 1, () => ['stone', 'stone', 'stone'])
    const { at } = await draw()
    const flat = brightness(at(8, 2))
    expect(brightness(at(8, 5))).toBeGreaterThan(flat)
    expect(brightness(at(8, 6))).toBeLessThan(flat)
    expect(brightness(at(8, 16))).toBeGreaterThan(brightness(at(8, 5)))
    expect(brightness(at(8, 17))).toBe(flat)
  })

  it('shows deeper water darker, over the colour of its floor', async () => {
    const pond = (depth: number, floor: string) => [floor, ...Array.from({ length: depth }, () => 'water')]
    await putColumn(0, 0, (x) =>
      x < 4 ? pond(1, 'sand') : x < 8 ? pond(1, 'stone') : x < 12 ? pond(20, 'sand') : pond(60, 'sand'),
    )
    const { at } = await draw()
    expect(at(1, 8)).not.toEqual(at(5, 8))
    expect(brightness(at(1, 8))).toBeGreaterThan(brightness(at(9, 8)))
    expect(brightness(at(9, 8))).toBeGreaterThan(brightness(at(13, 8)))
  })

  it('shows a block that is missing in blocks.yaml as clients do', async () => {
    await putColumn(0, 0, () => ['a_block_of_yore'])
    expect((await draw()).at(0, 0)).toEqual([255, 0, 255, 255])
  })

  it('has one pixel per scale blocks, and only the columns of the box', async () => {
    for (const cx of [-1, 0, 1]) await putColumn(cx, 0, (x, z) => [x % 4 === 0 && z % 4 === 0 ? 'sand' : 'stone'])
    const quarter = await draw('--scale', '4')
    expect([quarter.width, quarter.height, quarter.at(5, 2)]).toEqual([12, 4, colourOf('sand')])
    const third = await draw('--scale', '3')
    expect([third.width, third.height, third.at(0, 0), third.at(4, 4), third.at(15, 5)[3]]).toEqual([
      16,
      6,
      colourOf('sand'),
      colourOf('sand'),
      255,
    ])
    const box = await draw('--box', '0,0,1,1')
    expect([box.width, box.height, box.at(0, 20)]).toEqual([32, 32, [0, 0, 0, 0]])
    const far = await draw('--scale', '1024')
    expect([far.width, far.height, far.ran.out]).toEqual([1, 1, 'Drew 1 column of north on 1 × 1 pixels.\n'])
  })

  it('leaves a damaged column out, and reports it', async () => {
    await putColumn(0, 0, () => ['stone'])
    await put(1, 0, Buffer.from('rubbish'))
    const { ran, at } = await draw()
    expect([ran.exit, ran.err]).toEqual([0, 'Left out 1 damaged column. For details: npm run world -- check north\n'])
    expect([at(0, 0), at(16, 0)]).toEqual([colourOf('stone'), [0, 0, 0, 0]])
  })

  it('is refused when it would be too large, with a scale that fits', async () => {
    await putColumn(0, 0, () => ['stone'])
    await putColumn(2000, 0, () => ['stone'])
    const { exit, err } = await stored.run(['map', 'north', path])
    expect([exit, err]).toEqual([2, expect.stringContaining('32,016 × 16 pixels, which is too many for an image. Use --scale 2')])
    expect((await draw('--scale', '2')).width).toBe(16_008)
    const all = { minCx: -1_875_000, maxCx: 1_874_999, minCz: -1_875_000, maxCz: 1_874_999 }
    expect(() => createMapFrame(all, 1)).toThrow('Use a smaller --box.')
    expect(() => createMapFrame({ ...all, minCz: 0, maxCz: 0 }, 1)).toThrow('Use a smaller --box.')
  })

  it('is refused where nothing is generated, and leaves no file', async () => {
    expect(await stored.run(['map', 'north', path])).toMatchObject({ exit: 2, err: expect.stringContaining('nothing to draw') })
    await putColumn(0, 0, () => ['stone'])
    expect(await stored.run(['map', 'north', path, '--box', '5,5,6,6'])).toMatchObject({ exit: 2 })
    expect((await readdir(stored.dataDir)).filter((name) => name !== 'worlds')).toEqual([])
  })
})
