import {
  Color,
  DynamicDrawUsage,
  GLSL3,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  RawShaderMaterial,
  type Scene,
} from 'three'
import type { Light } from '../daylight.ts'
import { createBody } from './figure-body.ts'
import { figureFragmentShader, figureVertexShader } from './people-shaders.ts'

/** The pose of a player: feet, degrees, and the swing of the legs. */
export type FigurePose = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
  /** The phase of the stride in radians, and its width from 0 to 1. */
  readonly stride: number
  readonly swing: number
  /** The shirt colour, as 0xrrggbb. */
  readonly shirt: number
}

/** All other players in view, in one draw call. */
export type Figures = {
  /** `eye` is the origin with the best precision. */
  draw(poses: readonly FigurePose[], eye: { readonly x: number; readonly z: number }): void
  setLight(light: Light): void
}

const capacity = 512
const numbersEach = 7
const perDegree = Math.PI / 180
const fullStep = 0.7
/** Beyond everything that is drawn. */
const noFog = 1_000_000

/** A stable colour for each player, as 0xrrggbb. */
export const colourOfPlayer = (playerId: string): number => {
  let hash = 2_166_136_261
  for (const letter of playerId) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return new Color().setHSL(((hash >>> 0) % 360) / 360, 0.5, 0.52).getHex()
}

export const createFigures = (scene: Scene): Figures => {
  const light = new Color()
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: figureVertexShader,
    fragmentShader: figureFragmentShader,
    uniforms: {
      light: { value: light },
      fogColor: { value: new Color() },
      fogNear: { value: noFog },
      fogFar: { value: noFog * 2 },
    },
    // three.js then sets all three from the scene, if it has some.
    fog: true,
  })
  const numbers = new Float32Array(capacity * numbersEach)
  const buffer = new InstancedInterleavedBuffer(numbers, numbersEach).setUsage(DynamicDrawUsage)
  const body = createBody()
  body.setAttribute('place', new InterleavedBufferAttribute(buffer, 4, 0))
  body.setAttribute('stance', new InterleavedBufferAttribute(buffer, 3, 4))
  const mesh = new Mesh(body, material)
  mesh.frustumCulled = false
  mesh.visible = false
  scene.add(mesh)

  return {
    setLight: (colour) => void light.setRGB(...colour),
    draw: (poses, eye) => {
      const count = Math.min(poses.length, capacity)
      mesh.visible = count > 0
      if (count === 0) return
      const [originX, originZ] = [Math.floor(eye.x), Math.floor(eye.z)]
      mesh.position.set(originX, 0, originZ)
      let from = 0
      for (const { x, y, z, yaw, pitch, stride, swing, shirt } of poses) {
        if (from === count * numbersEach) break
        numbers[from] = x - originX
        numbers[from + 1] = y
        numbers[from + 2] = z - originZ
        numbers[from + 3] = -yaw * perDegree
        numbers[from + 4] = pitch * perDegree
        numbers[from + 5] = Math.sin(stride) * swing * fullStep
        numbers[from + 6] = shirt
        from += numbersEach
      }
      body.instanceCount = count
      buffer.clearUpdateRanges()
      buffer.addUpdateRange(0, count * numbersEach)
      buffer.needsUpdate = true
    },
  }
}
