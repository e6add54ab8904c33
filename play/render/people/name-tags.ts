import {
  DynamicDrawUsage,
  Float32BufferAttribute,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  RawShaderMaterial,
  type Scene,
  Vector2,
} from 'three'
import { findTagged, type Tagged } from './find-tagged.ts'
import { createNamePainter, tagSize } from './name-painter.ts'
import { tagFragmentShader, tagVertexShader } from './people-shaders.ts'
import { createTagSlots } from './tag-slots.ts'

/** Names above heads, of the nearest few: one draw call for all. */
export type NameTags = {
  /** A few names are painted for each picture. The answer is whether all are there, and false where the next picture has more. */
  draw(players: readonly Tagged[], eye: { readonly x: number; readonly y: number; readonly z: number }): boolean
  /** Paints all of them again, after the graphics card has lost them. */
  repaint(): void
}

const tagsMax = 32
/** Some more are painted, so that who comes and goes among the nearest keeps theirs. */
const slotsMax = 40
/** In one picture; each takes half a millisecond, and a hundred may come into view at once. */
const paintsMax = 2
const numbersEach = 5
const aboveFeet = 2.15
const tall = 0.3

export const createNameTags = (scene: Scene): NameTags => {
  const painter = createNamePainter(slotsMax)
  const slots = createTagSlots(slotsMax, painter.paint)
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: tagVertexShader,
    fragmentShader: tagFragmentShader,
    uniforms: {
      names: { value: painter.names },
      size: { value: new Vector2((tagSize.width / tagSize.height) * tall, tall) },
    },
    transparent: true,
    depthWrite: false,
  })
  const numbers = new Float32Array(tagsMax * numbersEach)
  const buffer = new InstancedInterleavedBuffer(numbers, numbersEach).setUsage(DynamicDrawUsage)
  const sheet = new InstancedBufferGeometry()
  sheet.setAttribute('corner', new Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2))
  sheet.setAttribute('place', new InterleavedBufferAttribute(buffer, 4, 0))
  sheet.setAttribute('width', new InterleavedBufferAttribute(buffer, 1, 4))
  sheet.setIndex([0, 1, 2, 0, 2, 3])
  const mesh = new Mesh(sheet, material)
  mesh.frustumCulled = false
  mesh.visible = false
  mesh.renderOrder = 3
  scene.add(mesh)
  let shown = new Set<string>()
  return {
    draw: (players, eye) => {
      const near = findTagged(players, eye, { most: tagsMax, shown })
      shown = new Set(near.map(({ player }) => player.playerId))
      let left = paintsMax
      const tagged = near.flatMap(({ player }) => {
        const known = slots.find(player.playerId, player.displayName)
        if (known === undefined) left -= 1
        const slot = known ?? (left >= 0 ? slots.paint(player.playerId, player.displayName) : undefined)
        return slot === undefined ? [] : [{ player, slot }]
      })
      const [originX, originZ] = [Math.floor(eye.x), Math.floor(eye.z)]
      // Those behind come first, and are painted over.
      tagged.reverse().forEach(({ player: { x, y, z }, slot: { at, width } }, which) => {
        numbers.set([x - originX, y + aboveFeet, z - originZ, at, width], which * numbersEach)
      })
      mesh.visible = tagged.length > 0
      mesh.position.set(originX, 0, originZ)
      sheet.instanceCount = tagged.length
      buffer.needsUpdate = true
      return left >= 0
    },
    repaint: slots.clear,
  }
}
