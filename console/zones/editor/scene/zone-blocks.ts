import type { BlockSpan } from '../../../../play/render/frame.ts'
import type { PackedSection } from '../../../../play/render/meshing/mesh-data.ts'

/** Blocks by the index of their kind, column by column; 0 is air. */
export type ZoneBlocks = {
  /** Replaces a column with an empty one. */
  begin(cx: number, cz: number): void
  drop(cx: number, cz: number): void
  has(cx: number, cz: number): boolean
  /** Ignores columns that are not loaded. */
  set(x: number, y: number, z: number, index: number): void
  /** Undefined if the column is not loaded. */
  at(x: number, y: number, z: number): number | undefined
  /** The highest block of a position, up to `from`; -1 for none. */
  findTop(x: number, z: number, from: number): number
  /** The part of a column within `shown`, for the mesher. */
  pack(cx: number, cz: number, shown: BlockSpan, kindCount: number): readonly PackedSection[]
  /** The number of blocks that are not air. */
  count(): number
}

type Section = { readonly blocks: Uint16Array; count: number }
type Column = Map<number, Section>

const columnOf = (at: number): number => Math.floor(at / 16)
const indexInSection = (x: number, y: number, z: number): number => ((y & 15) << 8) | ((z & 15) << 4) | (x & 15)

/** The visible range of a section on one axis: both ends included, 0 to 15; inverted for none. */
const cutTo = (from: number, min: number, max: number): readonly [number, number] => [
  Math.max(0, min - from),
  Math.min(15, max - from),
]

const copyShown = (blocks: Uint16Array, origin: { x: number; y: number; z: number }, shown: BlockSpan): Uint16Array => {
  const [fromX, toX] = cutTo(origin.x, shown.minX, shown.maxX)
  const [fromY, toY] = cutTo(origin.y, shown.minY, shown.maxY)
  const [fromZ, toZ] = cutTo(origin.z, shown.minZ, shown.maxZ)
  const copy = new Uint16Array(4096)
  if (toX < fromX) return copy
  for (let y = fromY; y <= toY; y += 1)
    for (let z = fromZ; z <= toZ; z += 1) {
      const row = (y << 8) | (z << 4)
      copy.set(blocks.subarray(row | fromX, (row | toX) + 1), row | fromX)
    }
  return copy
}

export const createZoneBlocks = (): ZoneBlocks => {
  const columns = new Map<string, Column>()
  let last: { readonly cx: number; readonly cz: number; readonly column: Column | undefined } | undefined
  const find = (x: number, z: number): Column | undefined => {
    const [cx, cz] = [columnOf(x), columnOf(z)]
    if (last?.cx !== cx || last.cz !== cz) last = { cx, cz, column: columns.get(`${cx} ${cz}`) }
    return last.column
  }
  const at: ZoneBlocks['at'] = (x, y, z) => {
    const column = find(x, z)
    return column && (column.get(y >> 4)?.blocks[indexInSection(x, y, z)] ?? 0)
  }
  return {
    begin: (cx, cz) => {
      last = undefined
      columns.set(`${cx} ${cz}`, new Map())
    },
    drop: (cx, cz) => {
      last = undefined
      columns.delete(`${cx} ${cz}`)
    },
    has: (cx, cz) => columns.has(`${cx} ${cz}`),
    set: (x, y, z, index) => {
      const column = find(x, z)
      if (column === undefined) return
      const section = column.get(y >> 4) ?? { blocks: new Uint16Array(4096), count: 0 }
      const place = indexInSection(x, y, z)
      section.count += (index === 0 ? 0 : 1) - (section.blocks[place] === 0 ? 0 : 1)
      section.blocks[place] = index
      column.set(y >> 4, section)
    },
    at,
    findTop: (x, z, from) => {
      for (let y = from; y >= 0; y -= 1) if ((at(x, y, z) ?? 0) !== 0) return y
      return -1
    },
    pack: (cx, cz, shown, kindCount) => {
      const palette = Array.from({ length: kindCount }, (_, index) => index)
      const bits = kindCount > 256 ? 16 : 8
      return [...(columns.get(`${cx} ${cz}`) ?? [])].flatMap(([y, { blocks, count }]): PackedSection[] => {
        if (count === 0) return []
        const copy = copyShown(blocks, { x: cx * 16, y: y * 16, z: cz * 16 }, shown)
        if (copy.every((index) => index === 0)) return []
        const data = bits === 8 ? Uint8Array.from(copy) : new Uint8Array(copy.buffer)
        return [{ y, palette, bits, data }]
      })
    },
    count: () => {
      let sum = 0
      for (const column of columns.values()) for (const { count } of column.values()) sum += count
      return sum
    },
  }
}
