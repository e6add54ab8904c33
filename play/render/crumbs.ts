import { Color, DynamicDrawUsage, InstancedMesh, MeshBasicMaterial, type Scene } from 'three'
import type { Light } from './daylight.ts'
import { createLitBox } from './lit-box.ts'

/** Fragments of broken blocks: one draw call for all, and none without fragments. */
export type Crumbs = {
  /** From a block's lowest corner, in its colour. */
  burst(block: { readonly x: number; readonly y: number; readonly z: number }, colour: number): void
  /** Moves the fragments. They disappear after half a second. */
  draw(seconds: number): void
  setLight(light: Light): void
}

type Crumb = { readonly at: number[]; readonly speed: number[]; readonly colour: number; age: number }

const burstSize = 12
/** New fragments replace the oldest. */
const capacity = 8 * burstSize
const lifeSeconds = 0.5
const fall = 14

export const createCrumbs = (scene: Scene, random: () => number): Crumbs => {
  const material = new MeshBasicMaterial({ vertexColors: true })
  const mesh = new InstancedMesh(createLitBox([0.11, 0.11, 0.11]), material, capacity)
  mesh.frustumCulled = false
  mesh.count = 0
  mesh.visible = false
  mesh.instanceMatrix.setUsage(DynamicDrawUsage)
  scene.add(mesh)
  let flying: Crumb[] = []
  const tint = new Color()

  const place = ({ at, age, colour }: Crumb, index: number): void => {
    const matrix = mesh.instanceMatrix.array
    const size = 1 - (age / lifeSeconds) ** 2
    matrix.set([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, 1], index * 16)
    mesh.setColorAt(index, tint.setHex(colour))
  }
  return {
    setLight: (light) => void material.color.setRGB(...light),
    burst: ({ x, y, z }, colour) => {
      const fresh = Array.from({ length: burstSize }, (): Crumb => {
        const from = [random(), random(), random()]
        const [a = 0, b = 0, c = 0] = from
        return { at: [x + a, y + b, z + c], speed: [(a - 0.5) * 3, 1 + b * 2.5, (c - 0.5) * 3], colour, age: 0 }
      })
      flying = [...flying, ...fresh].slice(-capacity)
    },
    draw: (seconds) => {
      if (flying.length === 0 && !mesh.visible) return
      for (const crumb of flying) {
        crumb.age += seconds
        const { at, speed } = crumb
        speed[1] = (speed[1] ?? 0) - fall * seconds
        for (let axis = 0; axis < 3; axis += 1) at[axis] = (at[axis] ?? 0) + (speed[axis] ?? 0) * seconds
      }
      flying = flying.filter(({ age }) => age < lifeSeconds)
      flying.forEach(place)
      mesh.count = flying.length
      mesh.visible = flying.length > 0
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true
    },
  }
}
