import { expect, it } from '@jest/globals'
import { listTiles, zoomOf } from '../../../console/map/scene/tile-grid.ts'
import { areaOf, fitArea, panBy, toBlock, toScreen, zoomAt } from '../../../console/map/scene/view.ts'

const scaleMax = 32

const scaleMin = 1 / 128

const size = { width: 800, height: 600 }
const view = { x: 100, z: -50, scale: 2 }

it('keeps the block under the pointer while zooming, within bounds', () => {
  const before = toBlock(view, size, 700, 20)
  const near = zoomAt(view, size, 3, 700, 20)
  expect(toBlock(near, size, 700, 20).x).toBeCloseTo(before.x)
  expect(toBlock(near, size, 700, 20).z).toBeCloseTo(before.z)
  expect(zoomAt(view, size, 1e9).scale).toBe(scaleMax)
  expect(zoomAt(view, size, 1e-9).scale).toBe(scaleMin)
})

it('follows a drag, and fits an area into view', () => {
  const moved = panBy(view, 40, -20)
  expect(toScreen(moved, size, 100, -50)).toEqual({ left: 440, top: 280 })
  const area = { minX: -1600, minZ: 0, maxX: 1599, maxZ: 15 }
  const shown = areaOf(fitArea(area, size), size)
  expect(shown.minX).toBeLessThan(area.minX)
  expect(shown.maxX).toBeGreaterThan(area.maxX)
})

it('requests only the tiles in view, coarser when zoomed out', () => {
  expect([4, 1, 0.5, 0.03, 0.001].map(zoomOf)).toEqual([0, 0, 1, 5, 5])
  expect(listTiles(0, { minX: -1, minZ: 0, maxX: 256, maxZ: 255 })).toEqual([
    { zoom: 0, tx: -1, tz: 0 },
    { zoom: 0, tx: 0, tz: 0 },
    { zoom: 0, tx: 1, tz: 0 },
  ])
  expect(listTiles(1, { minX: 600, minZ: -1, maxX: 600, maxZ: -1 })).toEqual([{ zoom: 1, tx: 1, tz: -1 }])
})
