import { describe, expect, it } from '@jest/globals'
import { createEditHistory, reverse } from '../../../console/zones/editor/building/edit-history.ts'
import { type Camera, eyeOf, orbit, pan, rayThrough, stepAlong, zoom } from '../../../console/zones/editor/scene/camera.ts'
import { cutSpan, isWithin, rangeOf, spanOf } from '../../../console/zones/editor/scene/clip-planes.ts'
import { loadColumns } from '../../../console/zones/editor/scene/load-columns.ts'
import { createZoneBlocks } from '../../../console/zones/editor/scene/zone-blocks.ts'

const zone = {
  yMin: 10,
  yMax: 40,
  chunks: [
    { cx: -1, cz: 0 },
    { cx: 1, cz: 2 },
  ],
}
const off = { enabled: false, flipped: false, pos: 0 }
const open = { x: off, y: off, z: off }

describe('planes', () => {
  it('show the whole zone while they are off', () => {
    expect(spanOf(zone)).toEqual({ minX: -16, maxX: 31, minY: 10, maxY: 40, minZ: 0, maxZ: 47 })
    expect(cutSpan(spanOf(zone), open)).toEqual(spanOf(zone))
    expect(rangeOf(spanOf(zone), 'y')).toEqual({ min: 10, max: 41 })
  })

  it('hide the blocks from their place on, and flipped ones those before it', () => {
    const cut = cutSpan(spanOf(zone), { ...open, y: { enabled: true, flipped: false, pos: 20 } })
    expect(cut).toMatchObject({ minY: 10, maxY: 19 })
    expect(cutSpan(spanOf(zone), { ...open, x: { enabled: true, flipped: true, pos: 3.5 } })).toMatchObject({ minX: 4, maxX: 31 })
    expect(isWithin(cut, { x: 0, y: 19, z: 0 })).toBe(true)
    expect(isWithin(cut, { x: 0, y: 20, z: 0 })).toBe(false)
  })

  it('may hide everything', () => {
    const none = cutSpan(spanOf(zone), { ...open, y: { enabled: true, flipped: false, pos: -100 } })
    const blocks = createZoneBlocks()
    blocks.begin(0, 0)
    blocks.set(1, 12, 1, 3)
    expect(blocks.pack(0, 0, none, 5)).toEqual([])
  })
})

describe('blocks', () => {
  const all = { minX: -999, maxX: 999, minY: 0, maxY: 255, minZ: -999, maxZ: 999 }

  it('are stored by column, and counted', () => {
    const blocks = createZoneBlocks()
    blocks.set(5, 5, 5, 1)
    expect(blocks.at(5, 5, 5)).toBeUndefined()
    blocks.begin(-1, 0)
    blocks.set(-1, 70, 3, 7)
    blocks.set(-1, 70, 3, 8)
    blocks.set(-2, 70, 3, 8)
    blocks.set(-2, 70, 3, 0)
    expect([blocks.at(-1, 70, 3), blocks.at(-1, 71, 3), blocks.count(), blocks.findTop(-1, 3, 255)]).toEqual([8, 0, 1, 70])
    blocks.drop(-1, 0)
    expect(blocks.count()).toBe(0)
  })

  it.each([
    [10, 8],
    [300, 16],
  ])('are packed for the mesher: %i kinds in %i bits', (kinds, bits) => {
    const blocks = createZoneBlocks()
    blocks.begin(0, 0)
    blocks.set(2, 17, 3, 9)
    const [section] = blocks.pack(0, 0, all, kinds)
    expect(section).toMatchObject({ y: 1, bits })
    expect(section?.palette).toHaveLength(kinds)
    const data = bits === 8 ? section?.data : new Uint16Array(section?.data.buffer ?? new ArrayBuffer(0))
    expect(data?.[(1 << 8) | (3 << 4) | 2]).toBe(9)
    expect(data?.filter((one) => one !== 0)).toHaveLength(1)
  })

  it('are left out if a plane hides them', () => {
    const blocks = createZoneBlocks()
    blocks.begin(0, 0)
    for (let x = 0; x < 16; x += 1) blocks.set(x, 5, 0, 1)
    const [section] = blocks.pack(0, 0, { ...all, minX: 4, maxX: 9 }, 2)
    expect([...(section?.data ?? [])].filter((one) => one !== 0)).toHaveLength(6)
  })
})

describe('the camera', () => {
  const camera: Camera = { target: { x: 0, y: 0, z: 0 }, yaw: 0, pitch: 0, distance: 10 }
  const screen = { width: 200, height: 100 }

  it('looks at its target from its distance', () => {
    const { x, y, z } = eyeOf(camera)
    expect([x, y, z].map(Math.round)).toEqual([-10, 0, 0])
    const { x: dx, y: dy, z: dz } = rayThrough(camera, screen, 100, 50)
    expect([dx, dy, dz].map((one) => Math.round(one * 1000) / 1000 + 0)).toEqual([1, 0, 0])
  })

  it('has right and up in the correct directions', () => {
    expect(rayThrough(camera, screen, 200, 50).z).toBeGreaterThan(1)
    expect(rayThrough(camera, screen, 100, 0).y).toBeCloseTo(Math.tan(Math.PI / 6))
  })

  it('turns, zooms within limits, and keeps the point under the pointer', () => {
    expect(orbit(camera, 100, 1000)).toMatchObject({ yaw: 30, pitch: -89 })
    expect([zoom(camera, 0.001).distance, zoom(camera, 1000).distance]).toEqual([3, 400])
    const moved = pan(camera, 0, 100, screen)
    // The full height of the screen, at the distance of the target.
    expect(moved.target.y).toBeCloseTo(2 * 10 * Math.tan(Math.PI / 6))
  })

  it.each([
    [10, { x: 1, z: 0 }, { x: 0, z: 1 }],
    [100, { x: 0, z: 1 }, { x: -1, z: 0 }],
    [181, { x: -1, z: 0 }, { x: 0, z: -1 }],
    [300, { x: 0, z: -1 }, { x: 1, z: 0 }],
  ])('steps forward and right as it looks, at %i degrees', (yaw, ahead, right) => {
    const plain = ({ x, z }: { x: number; z: number }) => ({ x: x + 0, z: z + 0 })
    expect([plain(stepAlong(yaw, 1, 0)), plain(stepAlong(yaw, 0, 1))]).toEqual([ahead, right])
  })
})

describe('undo', () => {
  const change = { x: 1, y: 2, z: 3, before: 'air', after: 'stone' }

  it('is the reverse, without blocks that another user has changed since', () => {
    const other = { ...change, x: 2 }
    const back = reverse([change, other], (x) => (x === 1 ? 'stone' : 'planks'))
    expect(back).toEqual([{ x: 1, y: 2, z: 3, before: 'stone', after: 'air' }])
  })

  it('works both ways, until a new edit', () => {
    const history = createEditHistory()
    history.add([change])
    expect(history.takeUndo()).toEqual([change])
    history.putUndone([change])
    expect([history.canUndo(), history.canRedo()]).toEqual([false, true])
    history.add([change])
    expect([history.canUndo(), history.canRedo()]).toEqual([true, false])
    history.add([])
    expect([history.takeUndo(), history.takeUndo()]).toEqual([[change], undefined])
  })
})

describe('columns', () => {
  it('include changes from the time when they were loading', async () => {
    const taken: unknown[] = []
    const started: (() => void)[] = []
    const wanted = [{ cx: 0, cz: 0 }]
    const loader = loadColumns({
      read: async function* () {
        yield { x: 1, y: 1, z: 1, type: 'stone' }
        await new Promise<void>((resolve) => started.push(resolve))
      },
      next: (isUnderWay) => wanted.find((one) => !isUnderWay(one)),
      take: (_column, blocks) => {
        taken.push(blocks.map(({ type }) => type))
        wanted.pop()
      },
      noteFault: () => undefined,
    })
    while (started.length === 0) await new Promise((resolve) => setImmediate(resolve))
    loader.change([
      { x: 1, y: 1, z: 1, type: 'air' },
      { x: 99, y: 1, z: 1, type: 'sand' },
    ])
    started[0]?.()
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toEqual([['stone', 'air']])
    loader.close()
  })

  it('are loaded again from the beginning, and earlier results are dropped', async () => {
    const faults: unknown[] = []
    let asked = 0
    const loader = loadColumns({
      read: async function* (_column, signal) {
        asked += 1
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
      },
      next: (isUnderWay) => [{ cx: 0, cz: 0 }].find((one) => !isUnderWay(one)),
      take: () => undefined,
      noteFault: (error) => faults.push(error),
    })
    while (asked < 1) await new Promise((resolve) => setImmediate(resolve))
    loader.restart()
    while (asked < 2) await new Promise((resolve) => setImmediate(resolve))
    loader.close()
    expect(faults).toEqual([])
  })
})
