import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createLooks } from '../../../play/render/meshing/block-looks.ts'
import { createMesher } from '../../../play/render/meshing/mesh-column.ts'
import type { ColumnMesh, PackedSection } from '../../../play/render/meshing/mesh-data.ts'
import { changeColumn, unpackColumn, type VoxelColumn } from '../../../play/render/meshing/voxel-column.ts'

const [stone, water, flower, glass, leaves] = [1, 2, 3, 4, 5]
const looks = createLooks([
  { index: 0, id: 'air', colour: 0, solid: false },
  { index: stone, id: 'stone', colour: 0x7d7d7d, solid: true },
  { index: water, id: 'water', colour: 0x3f66d6, solid: false },
  { index: flower, id: 'flower', colour: 0xd8455a, solid: false },
  { index: glass, id: 'glass', colour: 0xc3e3ea, solid: true },
  { index: leaves, id: 'oak_leaves', colour: 0x47792a, solid: true },
])
const clearKinds = new Set([water, glass])
const cubeKinds = new Set([stone, leaves])

type Put = readonly [x: number, y: number, z: number, index: number]

const columnOf = (cx: number, cz: number, puts: readonly Put[]): VoxelColumn => {
  const column = unpackColumn(cx, cz, [], looks)
  for (const [x, y, z, index] of puts)
    if (Math.floor(x / 16) === cx && Math.floor(z / 16) === cz) changeColumn(column, { x, y, z, index }, looks)
  return column
}
const meshOf = (puts: readonly Put[]): ColumnMesh => {
  const around = [-1, 0, 1].flatMap((cz) => [-1, 0, 1].map((cx) => columnOf(cx, cz, puts)))
  return createMesher()(around, looks)
}

/** A quad as the renderer sees it: normal, and each corner with its shade. */
const readQuads = (data: Uint32Array) =>
  Array.from({ length: data.length / 8 }, (_, quad) => {
    const corners = [0, 1, 2, 3].map((corner) => {
      const a = data[quad * 8 + corner * 2] ?? 0
      return { x: a & 31, y: (a >>> 5) & 511, z: (a >>> 14) & 31, occlusion: (a >>> 22) & 3, light: (a >>> 24) & 7 }
    })
    const a = data[quad * 8] ?? 0
    const b = data[quad * 8 + 1] ?? 0
    return { normal: (a >>> 19) & 7, corners, colour: b & 0xffffff, style: (b >>> 24) & 15 }
  })

const normals = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const

/** The faces of the column in the middle, one by one, without a bit mask: `x y z normal`. */
const listFaces = (puts: readonly Put[], kind: 'solid' | 'clear'): readonly string[] => {
  const blocks = new Map(puts.map(([x, y, z, index]) => [`${x} ${y} ${z}`, index]))
  const found: string[] = []
  for (const [place, index] of blocks) {
    const [x = 0, y = 0, z = 0] = place.split(' ').map(Number)
    const isOwn = x >= 0 && x < 16 && z >= 0 && z < 16
    const isOfKind = (kind === 'solid' ? cubeKinds : clearKinds).has(index)
    if (!isOwn || !isOfKind) continue
    normals.forEach(([dx, dy, dz], normal) => {
      const beside = blocks.get(`${x + dx} ${y + dy} ${z + dz}`) ?? 0
      const hides = cubeKinds.has(beside) || (kind === 'clear' && clearKinds.has(beside))
      if (!hides && !(y === 0 && normal === 3)) found.push(`${x} ${y} ${z} ${normal}`)
    })
  }
  return found.sort()
}

/** The block of a quad, by its lowest corner. */
const nameQuads = (data: Uint32Array): readonly string[] =>
  readQuads(data)
    .filter(({ normal }) => normal < 6)
    .map(({ normal, corners }) => {
      const least = (axis: 'x' | 'y' | 'z') => Math.min(...corners.map((corner) => corner[axis]))
      const [x, y, z] = [least('x'), least('y'), least('z')]
      return `${x - (normal === 0 ? 1 : 0)} ${y - (normal === 2 ? 1 : 0)} ${z - (normal === 4 ? 1 : 0)} ${normal}`
    })
    .sort()

const block = fc.tuple(
  fc.integer({ min: -3, max: 19 }),
  fc.constantFrom(0, 1, 14, 15, 16, 17, 63, 64, 254, 255),
  fc.integer({ min: -3, max: 19 }),
  fc.constantFrom(stone, water, glass, leaves),
)
const blocks = fc.uniqueArray(block, { maxLength: 200, selector: ([x, y, z]) => `${x} ${y} ${z}` })

describe('the surface of a column', () => {
  it('has every visible face and no other, also at its edges and at the ends of the world', () => {
    fc.assert(
      fc.property(blocks, (puts) => {
        const { solid, clear } = meshOf(puts)
        expect(nameQuads(solid)).toEqual(listFaces(puts, 'solid'))
        expect(nameQuads(clear)).toEqual(listFaces(puts, 'clear'))
      }),
      { numRuns: 60 },
    )
  })

  it('is the same from packed sections as from single blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 5 }), { minLength: 4096, maxLength: 4096 }),
        fc.constantFrom(4, 8, 16),
        (indexes, bits) => {
          const data = new Uint8Array(512 * bits)
          indexes.forEach((index, at) => {
            const byte = (at * bits) >> 3
            data[byte] = (data[byte] ?? 0) | (index << ((at * bits) & 7))
          })
          const packed: PackedSection = { y: 3, palette: [0, 1, 2, 3, 4, 5], bits, data }
          const whole = unpackColumn(0, 0, [packed], looks)
          const puts = indexes.map((index, at): Put => [at & 15, 48 + (at >> 8), (at >> 4) & 15, index])
          const single = columnOf(0, 0, puts)
          expect(whole.heights).toEqual(single.heights)
          expect(whole.sections[3]).toEqual(single.sections[3])
        },
      ),
      { numRuns: 6 },
    )
  })

  it('turns each face outward', () => {
    for (const { normal, corners } of readQuads(meshOf([[5, 70, 5, stone]]).solid)) {
      const [a, b, c] = corners
      if (a === undefined || b === undefined || c === undefined) throw new Error('a quad without corners')
      const [u, v] = [
        [b.x - a.x, b.y - a.y, b.z - a.z],
        [c.x - a.x, c.y - a.y, c.z - a.z],
      ] as const
      const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      expect(cross.map((part) => part + 0)).toEqual([...(normals[normal] ?? [])].map((part) => part + 0))
    }
  })

  it('is darker in corners and without a view of the sky', () => {
    const top = (puts: readonly Put[]) =>
      readQuads(meshOf(puts).solid).find(({ normal, corners }) => normal === 2 && corners[0]?.y === 65)
    const floor: Put[] = [...Array(9).keys()].map((at): Put => [4 + (at % 3), 64, 4 + Math.floor(at / 3), stone])
    const open = top([[5, 64, 5, stone]])
    expect(open?.corners.every(({ occlusion, light }) => occlusion === 3 && light === 4)).toBe(true)
    const beside = readQuads(meshOf([...floor, [6, 65, 5, stone]]).solid).filter(({ normal }) => normal === 2)
    expect(beside.some(({ corners }) => corners.some(({ occlusion }) => occlusion < 3))).toBe(true)
    const roof: Put[] = [...Array(49).keys()].map((at): Put => [2 + (at % 7), 80, 2 + Math.floor(at / 7), stone])
    expect(top([[5, 64, 5, stone], ...roof])?.corners.every(({ light }) => light === 0)).toBe(true)
    const crown = roof.map(([x, y, z]): Put => [x, y, z, leaves])
    expect(top([[5, 64, 5, stone], ...crown])?.corners.every(({ light }) => light === 4)).toBe(true)
  })

  it('draws plants as crossed blades, unknown kinds as cubes, and nothing for air', () => {
    expect(readQuads(meshOf([[3, 64, 3, flower]]).solid).map(({ normal }) => normal)).toEqual([6, 6, 6, 6])
    expect(readQuads(meshOf([[3, 64, 3, 99]]).solid)).toHaveLength(6)
    expect(meshOf([]).solid).toHaveLength(0)
  })

  it('lowers the top of water only when there is no water above', () => {
    const surface = (data: Uint32Array) =>
      Array.from(data).filter((value, at) => at % 2 === 0 && ((value >>> 27) & 1) === 1).length
    expect(surface(meshOf([[3, 64, 3, water]]).clear)).toBe(4 + 4 * 2)
    expect(surface(meshOf([[3, 64, 3, glass]]).clear)).toBe(0)
  })
})
