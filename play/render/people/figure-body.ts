import { BufferAttribute, InstancedBufferGeometry } from 'three'
import { createLitBox } from '../lit-box.ts'

type Part = {
  readonly size: readonly [number, number, number]
  /** The joint from the feet, x forward; the part's middle is `drop` below. */
  readonly joint: readonly [number, number, number]
  readonly drop: number
  /** How far before the joint. */
  readonly ahead?: number
  readonly colour: keyof typeof colours
  /** The direction of its swing. */
  readonly swing: number
  readonly nods?: true
}

/** Screen red, green and blue. Shirts take the player's colour. */
const colours = {
  skin: [0.851, 0.643, 0.478],
  shirt: [1, 1, 1],
  trousers: [0.231, 0.263, 0.345],
  hair: [0.357, 0.227, 0.141],
  eyes: [0.125, 0.141, 0.173],
} as const

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

/** The numbers of all vertices of a part, by the attributes of `figureVertexShader`. */
const buildPart = ({ size, joint, drop, ahead = 0, colour, swing, nods }: Part) => {
  const box = createLitBox(size)
  const { position, color: light } = box.attributes
  const vertices = Array.from({ length: position?.count ?? 0 }, (_, at) => at)
  return {
    position: vertices.flatMap((at) => [
      (position?.getX(at) ?? 0) + ahead,
      (position?.getY(at) ?? 0) - drop,
      position?.getZ(at) ?? 0,
    ]),
    joint: vertices.flatMap(() => joint),
    colour: vertices.flatMap((at) => colours[colour].map((part) => part * (light?.getX(at) ?? 1))),
    moves: vertices.flatMap(() => [swing, nods === true ? 1 : 0, colour === 'shirt' ? 1 : 0]),
    index: [...(box.index?.array ?? [])],
    count: vertices.length,
  }
}

/** The boxes of a body as one shape, so that all players are one draw call. */
export const createBody = (): InstancedBufferGeometry => {
  const body = new InstancedBufferGeometry()
  const built = parts.map(buildPart)
  for (const name of ['position', 'joint', 'colour', 'moves'] as const)
    body.setAttribute(name, new BufferAttribute(new Float32Array(built.flatMap((part) => part[name])), 3))
  const first = built.map((_, which) => built.slice(0, which).reduce((sum, { count }) => sum + count, 0))
  body.setIndex(built.flatMap(({ index }, which) => index.map((vertex) => vertex + (first[which] ?? 0))))
  return body
}
