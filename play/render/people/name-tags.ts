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
import { type NamePainter, tagSize } from './name-painter.ts'
import { tagFragmentShader, tagVertexShader } from './people-shaders.ts'
import { createTagSlots } from './tag-slots.ts'

type Position = { readonly x: number; readonly y: number; readonly z: number }

/** Name tags of the nearest players, in one draw call. */
export type NameTags = {
  /** Draws the tags of players near `around`, as seen from `eye`. Paints a few names per frame; returns false if more remain. */
  draw(players: readonly Tagged[], eye: Position, around?: Position): boolean
  /** Repaints all names after the graphics context is restored. */
  repaint(): void
}

/** Fewer than the layers, so that players who come and go keep theirs. */
const tagsMax = 32
/** Per frame: all 32 may come into view at once, and painting one costs as much as the rest of a frame's names. */
const paintsMax = 2
const numbersEach = 5
const aboveFeet = 2.15
const tall = 0.3

const awayFrom = (eye: Position, { x, y, z }: Position): number => Math.hypot(x - eye.x, y - eye.y, z - eye.z)

export const createNameTags = (scene: Scene, painter: NamePainter): NameTags => {
  const slots = createTagSlots(painter.layers, painter.paint)
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
    draw: (players, eye, around = eye) => {
      const near = findTagged(players, around, { most: Math.min(tagsMax, painter.layers), shown })
      shown = new Set(near.map(({ playerId }) => playerId))
      const taken = slots.take(near, paintsMax)
      const tagged = near.flatMap((player, which) => {
        const slot = taken[which]
        return slot === undefined ? [] : [{ player, slot, away: awayFrom(eye, player) }]
      })
      const [originX, originZ] = [Math.floor(eye.x), Math.floor(eye.z)]
      // Draws the farthest first.
      tagged.sort((a, b) => b.away - a.away)
      tagged.forEach(({ player: { x, y, z }, slot: { at, width } }, which) => {
        numbers.set([x - originX, y + aboveFeet, z - originZ, at, width], which * numbersEach)
      })
      mesh.visible = tagged.length > 0
      mesh.position.set(originX, 0, originZ)
      sheet.instanceCount = tagged.length
      buffer.needsUpdate = true
      return tagged.length === near.length
    },
    repaint: slots.clear,
  }
}
