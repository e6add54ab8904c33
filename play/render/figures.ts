import {
  BoxGeometry,
  BufferAttribute,
  Color,
  Euler,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  type Scene,
  Vector3,
} from 'three'
import type { Light } from './daylight.ts'

/** Somebody to draw: feet, degrees, and how far the legs have swung. */
export type FigurePose = {
  readonly playerId: string
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
  /** Radians of the stride, and how wide it is, 0 to 1. */
  readonly stride: number
  readonly swing: number
}

/** All others in view: six boxes each, six draw calls for everybody. */
export type Figures = {
  draw(poses: readonly FigurePose[]): void
  setLight(light: Light): void
}

type Part = {
  readonly size: readonly [number, number, number]
  /** Where it hangs, from the feet, x forward; its middle is `drop` below. */
  readonly joint: readonly [number, number, number]
  readonly drop: number
  readonly colour: 'skin' | 'shirt' | 'trousers'
  /** Which way it swings. */
  readonly swing: number
  readonly nods?: true
}

const parts: readonly Part[] = [
  { size: [0.46, 0.46, 0.46], joint: [0, 1.36, 0], drop: -0.23, colour: 'skin', swing: 0, nods: true },
  { size: [0.25, 0.64, 0.46], joint: [0, 1.36, 0], drop: 0.32, colour: 'shirt', swing: 0 },
  { size: [0.2, 0.64, 0.17], joint: [0, 1.34, 0.32], drop: 0.3, colour: 'shirt', swing: 1 },
  { size: [0.2, 0.64, 0.17], joint: [0, 1.34, -0.32], drop: 0.3, colour: 'shirt', swing: -1 },
  { size: [0.22, 0.72, 0.21], joint: [0, 0.72, 0.12], drop: 0.36, colour: 'trousers', swing: -1 },
  { size: [0.22, 0.72, 0.21], joint: [0, 0.72, -0.12], drop: 0.36, colour: 'trousers', swing: 1 },
]

/** Light of the faces in the order of a box: +x, -x, +y, -y, +z, -z. */
const sides = [0.92, 0.8, 1, 0.55, 0.74, 0.7]
const capacity = 512

const createBox = ([width, height, depth]: Part['size']): BoxGeometry => {
  const box = new BoxGeometry(width, height, depth)
  const light = new Float32Array(sides.flatMap((side) => Array.from({ length: 12 }, () => side)))
  box.setAttribute('color', new BufferAttribute(light, 3))
  return box
}

/** A colour that is always the same for the same player. */
export const colourOfPlayer = (playerId: string): number => {
  let hash = 2_166_136_261
  for (const letter of playerId) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return new Color().setHSL(((hash >>> 0) % 360) / 360, 0.5, 0.52).getHex()
}

export const createFigures = (scene: Scene): Figures => {
  const material = new MeshBasicMaterial({ vertexColors: true })
  const meshes = parts.map((part) => {
    const mesh = new InstancedMesh(createBox(part.size), material, capacity)
    mesh.frustumCulled = false
    mesh.count = 0
    scene.add(mesh)
    return mesh
  })
  const [matrix, offset, turn, tilt] = [new Matrix4(), new Vector3(), new Quaternion(), new Quaternion()]
  const [euler, one, colour, sideways] = [new Euler(), new Vector3(1, 1, 1), new Color(), new Vector3(0, 0, 1)]

  const place = (mesh: InstancedMesh, at: number, part: Part, pose: FigurePose): void => {
    const { x, y, z, yaw, pitch, stride, swing } = pose
    turn.setFromEuler(euler.set(0, -(yaw * Math.PI) / 180, 0))
    const angle = part.nods === true ? (pitch * Math.PI) / 180 : Math.sin(stride) * swing * part.swing * 0.7
    tilt.setFromAxisAngle(sideways, angle)
    const [jx, jy, jz] = part.joint
    offset.set(0, -part.drop, 0).applyQuaternion(tilt)
    offset.set(offset.x + jx, offset.y + jy, offset.z + jz).applyQuaternion(turn)
    offset.set(offset.x + x, offset.y + y, offset.z + z)
    mesh.setMatrixAt(at, matrix.compose(offset, turn.multiply(tilt), one))
    const shirt = colourOfPlayer(pose.playerId)
    colour.setHex(part.colour === 'skin' ? 0xd9a47a : part.colour === 'shirt' ? shirt : 0x3b4358)
    mesh.setColorAt(at, colour)
  }

  return {
    setLight: (light) => void material.color.setRGB(...light),
    draw: (poses) => {
      const shown = poses.slice(0, capacity)
      meshes.forEach((mesh, which) => {
        mesh.count = shown.length
        const part = parts[which]
        if (part !== undefined) shown.forEach((pose, at) => void place(mesh, at, part, pose))
        mesh.instanceMatrix.needsUpdate = true
        if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true
      })
    },
  }
}
