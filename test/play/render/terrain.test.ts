import { describe, expect, it } from '@jest/globals'
import { Scene } from 'three'
import { createTerrain } from '../../../play/render/terrain.ts'

const quad = () => new Uint32Array(8)

/** A square of columns from 60 to 70, each with water. */
const openLand = (radius: number) => {
  const scene = new Scene()
  const terrain = createTerrain(scene)
  for (let cz = -radius; cz <= radius; cz += 1)
    for (let cx = -radius; cx <= radius; cx += 1) terrain.put(cx, cz, { solid: quad(), clear: quad(), minY: 60, maxY: 70 })
  const shown = () => scene.children.filter(({ visible }) => visible).length
  return { terrain, shown }
}

describe('terrain', () => {
  it('is drawn up to the end of the fog, on the ground and from above', () => {
    const { terrain, shown } = openLand(7)
    expect(shown()).toBe(450)
    terrain.setFog(60, 112, [1, 1, 1])
    terrain.lookFrom({ x: 8, y: 65, z: 8 })
    const onTheGround = shown()
    expect(onTheGround).toBeGreaterThan(2 * 150)
    expect(onTheGround).toBeLessThan(450)
    terrain.lookFrom({ x: 8, y: 70 + 100, z: 8 })
    expect(shown()).toBeLessThan(300)
    expect(shown()).toBeGreaterThan(100)
    terrain.lookFrom({ x: 8, y: 70 + 200, z: 8 })
    expect(shown()).toBe(0)
    terrain.lookFrom({ x: 8, y: 65, z: 8 })
    expect(shown()).toBe(onTheGround)
  })

  it('is drawn whole when nothing hides it', () => {
    const { terrain, shown } = openLand(1)
    terrain.lookFrom({ x: 0, y: 10_000, z: 0 })
    expect(shown()).toBe(18)
  })
})
