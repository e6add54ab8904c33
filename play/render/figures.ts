import { Color, DynamicDrawUsage, InstancedMesh, MeshBasicMaterial, type Scene } from 'three'
import type { Light } from './daylight.ts'
import { createLitBox } from './lit-box.ts'

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

/** All others in view: nine boxes each, nine draw calls for everybody. */
export type Figures = {
  draw(poses: readonly FigurePose[]): void
  setLight(light: Light): void
}

type Part = {
  readonly size: readonly [number, number, number]
  /** Where it hangs, from the feet, x forward; its middle is `drop` below. */
  readonly joint: readonly [number, number, number]
  readonly drop: number
  /** How far before the joint. */
  readonly ahead?: number
  readonly colour: 'skin' | 'shirt' | 'trousers' | 'hair' | 'eyes'
  /** Which way it swings. */
  readonly swing: number
  readonly nods?: true
}

const parts: readonly Part[] = [
  { size: [0.46, 0.46, 0.46], joint: [0, 1.36, 0], drop: -0.23, colour: 'skin', swing: 0, nods: true },
  { size: [0.5, 0.14, 0.5], joint: [0, 1.36, 0], drop: -0.42, ahead: -0.01, colour: 'hair', swing: 0, nods: true },
  { size: [0.02, 0.08, 0.08], joint: [0, 1.36, 0.1], drop: -0.26, ahead: 0.235, colour: 'eyes', swing: 0, nods: true },
  { size: [0.02, 0.08, 0.08], joint: [0, 1.36, -0.1], drop: -0.26, ahead: 0.235, colour: 'eyes', swing: 0, nods: true },
  { size: [0.25, 0.64, 0.46], joint: [0, 1.36, 0], drop: 0.32, colour: 'shirt', swing: 0 },
  { size: [0.2, 0.64, 0.17], joint: [0, 1.34, 0.32], drop: 0.3, colour: 'shirt', swing: 1 },
  { size: [0.2, 0.64, 0.17], joint: [0, 1.34, -0.32], drop: 0.3, colour: 'shirt', swing: -1 },
  { size: [0.22, 0.72, 0.21], joint: [0, 0.72, 0.12], drop: 0.36, colour: 'trousers', swing: -1 },
  { size: [0.22, 0.72, 0.21], joint: [0, 0.72, -0.12], drop: 0.36, colour: 'trousers', swing: 1 },
]

const colours = { skin: 0xd9a47a, trousers: 0x3b4358, hair: 0x5b3a24, eyes: 0x20242c } as const

const capacity = 512

/** A colour that is always the same for the same player. */
export const colourOfPlayer = (playerId: string): number => {
  let hash = 2_166_136_261
  for (const letter of playerId) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return new Color().setHSL(((hash >>> 0) % 360) / 360, 0.5, 0.52).getHex()
}

export const createFigures = (scene: Scene): Figures => {
  const material = new MeshBasicMaterial({ vertexColors: true })
  const meshes = parts.map((part) => {
    const mesh = new InstancedMesh(createLitBox(part.size), material, capacity)
    mesh.frustumCulled = false
    mesh.count = 0
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    scene.add(mesh)
    return mesh
  })
  const colour = new Color()
  /** Who stands in which place of the lists; colours change with them alone. */
  const drawn: string[] = []

  /** Turned by the way one looks, then swung at the joint: written out, since it is done six hundred times for a hundred players. */
  const place = (mesh: InstancedMesh, at: number, part: Part, { x, y, z, yaw, pitch, stride, swing }: FigurePose): void => {
    const turn = -(yaw * Math.PI) / 180
    const tilt = part.nods === true ? (pitch * Math.PI) / 180 : Math.sin(stride) * swing * part.swing * 0.7
    const [ct, st, cs, ss] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)]
    const [jx, jy, jz] = part.joint
    const ahead = part.ahead ?? 0
    const [lx, ly] = [jx + ahead * cs + part.drop * ss, jy + ahead * ss - part.drop * cs]
    const matrix = mesh.instanceMatrix.array
    const from = at * 16
    matrix[from] = ct * cs
    matrix[from + 1] = ss
    matrix[from + 2] = -st * cs
    matrix[from + 4] = -ct * ss
    matrix[from + 5] = cs
    matrix[from + 6] = st * ss
    matrix[from + 8] = st
    matrix[from + 10] = ct
    matrix[from + 12] = x + ct * lx + st * jz
    matrix[from + 13] = y + ly
    matrix[from + 14] = z - st * lx + ct * jz
    matrix[from + 15] = 1
  }
  const dress = (at: number, playerId: string): void => {
    drawn[at] = playerId
    const shirt = colourOfPlayer(playerId)
    meshes.forEach((mesh, which) => {
      const wears = parts[which]?.colour ?? 'skin'
      mesh.setColorAt(at, colour.setHex(wears === 'shirt' ? shirt : colours[wears]))
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true
    })
  }

  return {
    setLight: (light) => void material.color.setRGB(...light),
    draw: (poses) => {
      const shown = poses.slice(0, capacity)
      shown.forEach(({ playerId }, at) => {
        if (drawn[at] !== playerId) dress(at, playerId)
      })
      meshes.forEach((mesh, which) => {
        mesh.count = shown.length
        const part = parts[which]
        if (part !== undefined) shown.forEach((pose, at) => void place(mesh, at, part, pose))
        mesh.instanceMatrix.clearUpdateRanges()
        mesh.instanceMatrix.addUpdateRange(0, shown.length * 16)
        mesh.instanceMatrix.needsUpdate = shown.length > 0
      })
    },
  }
}
