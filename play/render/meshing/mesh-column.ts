import { type BlockLook, type ColumnMesh, type LookTable, unknownLook } from './mesh-data.ts'
import { type Around, padHeights, padRows, rowOf } from './neighbourhood.ts'
import { createQuadList, type QuadList } from './quad-list.ts'
import type { BlockIndexes } from './voxel-column.ts'

type Step = readonly [x: number, y: number, z: number]

/**
 * A face: its normal, and its corners counter-clockwise. For each corner, the two steps along the face to the blocks that can shade it.
 */
type Face = { readonly normal: Step; readonly corners: readonly Step[]; readonly sides: readonly (readonly [Step, Step])[] }

const axisOf = ([x, y]: Step): number => (x !== 0 ? 0 : y !== 0 ? 1 : 2)

const createFace = (normal: Step, corners: readonly Step[]): Face => {
  const [first, second] = [0, 1, 2].filter((axis) => axis !== axisOf(normal)) as [number, number]
  const along = (axis: number, corner: Step): Step => {
    const step: [number, number, number] = [0, 0, 0]
    step[axis] = corner[axis] === 1 ? 1 : -1
    return step
  }
  return { normal, corners, sides: corners.map((corner) => [along(first, corner), along(second, corner)]) }
}

/** In the order of the shader's normals: +x, -x, +y, -y, +z, -z. */
const faces: readonly Face[] = [
  createFace(
    [1, 0, 0],
    [
      [1, 0, 1],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ],
  ),
  createFace(
    [-1, 0, 0],
    [
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 1],
      [0, 1, 0],
    ],
  ),
  createFace(
    [0, 1, 0],
    [
      [0, 1, 1],
      [1, 1, 1],
      [1, 1, 0],
      [0, 1, 0],
    ],
  ),
  createFace(
    [0, -1, 0],
    [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
    ],
  ),
  createFace(
    [0, 0, 1],
    [
      [0, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 1],
    ],
  ),
  createFace(
    [0, 0, -1],
    [
      [1, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ],
  ),
]
const upward = 2
const downward = 3
/** Both sides of two crossed blades. */
const blades: readonly (readonly Step[])[] = [
  [
    [0, 0, 0],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 0],
  ],
  [
    [1, 0, 1],
    [0, 0, 0],
    [0, 1, 0],
    [1, 1, 1],
  ],
  [
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 1],
    [1, 1, 0],
  ],
  [
    [0, 0, 1],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 1],
  ],
]
const bladeNormal = 6

const positionOf = (x: number, y: number, z: number, normal: number): number => x | (y << 5) | (z << 14) | (normal << 19)
const fullLight = (3 << 22) | (4 << 24)
const surfaceBit = 1 << 27

const appearanceOf = ({ style, glows }: BlockLook, colour: number): number =>
  (colour | (style << 24) | (glows ? 1 << 28 : 0)) >>> 0

/** Meshes columns: visible faces, shaded by neighbouring blocks and the sky. Reuses its scratch memory. */
export const createMesher = () => {
  const opaque = new Int32Array(18 * 258)
  const clear = new Int32Array(18 * 258)
  const heights = new Int16Array(18 * 18)
  const solidQuads = createQuadList()
  const clearQuads = createQuadList()
  const shades = [0, 0, 0, 0]

  const isOpaque = (x: number, y: number, z: number): number => ((opaque[rowOf(y, z)] ?? 0) >> (x + 1)) & 1
  const isOpen = (x: number, y: number, z: number): number => (y > (heights[(z + 1) * 18 + x + 1] ?? -1) ? 1 : 0)

  /** Occlusion and light of one corner of a face whose front is the block at x, y, z. */
  const shadeCorner = (x: number, y: number, z: number, [[ax, ay, az], [bx, by, bz]]: readonly [Step, Step]): number => {
    const first = isOpaque(x + ax, y + ay, z + az)
    const second = isOpaque(x + bx, y + by, z + bz)
    const corner = isOpaque(x + ax + bx, y + ay + by, z + az + bz)
    const occlusion = first === 1 && second === 1 ? 0 : 3 - first - second - corner
    const light =
      isOpen(x, y, z) +
      isOpen(x + ax, y + ay, z + az) +
      isOpen(x + bx, y + by, z + bz) +
      isOpen(x + ax + bx, y + ay + by, z + az + bz)
    return (occlusion << 22) | (light << 24)
  }

  const pushFace = (list: QuadList, x: number, y: number, z: number, normal: number, look: BlockLook, extra = 0): void => {
    const face = faces[normal] as Face
    const [nx, ny, nz] = face.normal
    const appearance = appearanceOf(look, normal === upward ? look.colour : look.side)
    for (let at = 0; at < 4; at += 1) shades[at] = shadeCorner(x + nx, y + ny, z + nz, face.sides[at] as readonly [Step, Step])
    const [a = 0, b = 0, c = 0, d = 0] = shades.map((shade) => ((shade >> 22) & 3) + ((shade >> 24) & 7))
    // Splits the quad along its brighter diagonal, or the shade of one corner would cross it.
    const first = a + c < b + d ? 1 : 0
    for (let step = 0; step < 4; step += 1) {
      const at = (step + first) & 3
      const [cx, cy, cz] = face.corners[at] as Step
      const isSurface = extra !== 0 && (cy === 1 || normal === upward)
      list.push((positionOf(x + cx, y + cy, z + cz, normal) | (shades[at] as number) | (isSurface ? extra : 0)) >>> 0, appearance)
    }
  }

  const pushPlant = (x: number, y: number, z: number, look: BlockLook): void => {
    const appearance = appearanceOf(look, look.colour)
    const light = isOpen(x, y, z) === 1 ? fullLight : 3 << 22
    for (const blade of blades)
      for (const [cx, cy, cz] of blade)
        solidQuads.push((positionOf(x + cx, y + cy, z + cz, bladeNormal) | light) >>> 0, appearance)
  }

  /** The blocks of a padded row with a visible face in a direction: those whose neighbour does not hide it. */
  const findShown = (
    rows: Int32Array,
    hiding: Int32Array,
    also: Int32Array | undefined,
    y: number,
    z: number,
    normal: number,
  ): number => {
    const row = rows[rowOf(y, z)] ?? 0
    if ((row & 0x1fffe) === 0) return 0
    const at =
      normal === 2
        ? rowOf(y + 1, z)
        : normal === 3
          ? rowOf(y - 1, z)
          : normal === 4
            ? rowOf(y, z + 1)
            : normal === 5
              ? rowOf(y, z - 1)
              : rowOf(y, z)
    const hidden = (hiding[at] ?? 0) | (also?.[at] ?? 0)
    const shifted = normal === 0 ? hidden >> 1 : normal === 1 ? hidden << 1 : hidden
    return row & ~shifted & 0x1fffe
  }

  const meshRow = (blocks: BlockIndexes, looks: LookTable, y: number, z: number): void => {
    const base = (((y & 15) << 4) | z) << 4
    for (let normal = 0; normal < 6; normal += 1) {
      // The world is never seen from below.
      if (normal === downward && y === 0) continue
      for (let shown = findShown(opaque, opaque, undefined, y, z, normal); shown !== 0; shown &= shown - 1) {
        const x = 30 - Math.clz32(shown & -shown)
        pushFace(solidQuads, x, y, z, normal, looks[blocks[base | x] ?? 0] ?? unknownLook)
      }
      for (let shown = findShown(clear, opaque, clear, y, z, normal); shown !== 0; shown &= shown - 1) {
        const x = 30 - Math.clz32(shown & -shown)
        const look = looks[blocks[base | x] ?? 0] ?? unknownLook
        const isCovered = (((clear[rowOf(y + 1, z)] ?? 0) >> (x + 1)) & 1) === 1
        pushFace(clearQuads, x, y, z, normal, look, look.shape === 'fluid' && !isCovered ? surfaceBit : 0)
      }
    }
  }

  /** The mesh of the middle column; its neighbours only hide and shade. */
  return (around: Around, looks: LookTable): ColumnMesh => {
    const column = around[4]
    const present = column?.sections.flatMap((section, sy) => (section === undefined ? [] : [sy])) ?? []
    const [minSection, maxSection] = [present[0] ?? 0, present.at(-1) ?? 0]
    padRows(opaque, around, 'opaque', minSection, maxSection)
    padRows(clear, around, 'clear', minSection, maxSection)
    padHeights(heights, around)
    for (const sy of present) {
      const section = column?.sections[sy]
      if (section === undefined) continue
      for (let row = 0; row < 256; row += 1) {
        const [y, z] = [(sy << 4) | (row >> 4), row & 15]
        if (((section.opaque[row] ?? 0) | (section.clear[row] ?? 0)) !== 0) meshRow(section.blocks, looks, y, z)
        for (let plants = section.plants[row] ?? 0; plants !== 0; plants &= plants - 1) {
          const x = 31 - Math.clz32(plants & -plants)
          pushPlant(x, y, z, looks[section.blocks[(row << 4) | x] ?? 0] ?? unknownLook)
        }
      }
    }
    return { solid: solidQuads.take(), clear: clearQuads.take(), minY: minSection * 16, maxY: maxSection * 16 + 16 }
  }
}
