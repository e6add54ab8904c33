import { type IndexEdit, type LookTable, type PackedSection, styles, unknownLook } from './mesh-data.ts'

/** 16³ blocks, one byte each unless an index needs two. */
export type BlockIndexes = Uint8Array | Uint16Array

/** 16³ blocks by index, and which of them hide what is behind them, a bit for each x in a row of each y and z. */
type VoxelSection = {
  readonly blocks: BlockIndexes
  readonly opaque: Uint16Array
  clear: Uint16Array
  plants: Uint16Array
}

/** A column for the mesher. Sections with only air are absent. */
export type VoxelColumn = {
  readonly cx: number
  readonly cz: number
  readonly sections: (VoxelSection | undefined)[]
  /** For each x and z, the highest block that hides the sky; -1 for none. */
  readonly heights: Int16Array
}

const sectionCount = 16
const blocksPerSection = 4096

const byteMax = 255

/** Shared by all sections without such blocks, which are most. Never written to. */
const noRows = new Uint16Array(256)

const createSection = (isWide: boolean): VoxelSection => ({
  blocks: isWide ? new Uint16Array(blocksPerSection) : new Uint8Array(blocksPerSection),
  opaque: new Uint16Array(256),
  clear: noRows,
  plants: noRows,
})

/** A writable copy. */
const rowsOf = (section: VoxelSection, looks: LookTable, index: number): Uint16Array | undefined => {
  if (index === 0) return undefined
  const { shape } = looks[index] ?? unknownLook
  if (shape === 'cube') return section.opaque
  const kind = shape === 'plant' ? 'plants' : 'clear'
  if (section[kind] === noRows) section[kind] = new Uint16Array(256)
  return section[kind]
}

const readEntry = ({ bits, data }: PackedSection, at: number): number => {
  if (bits === 0) return 0
  if (bits === 16) return (data[at * 2] ?? 0) | ((data[at * 2 + 1] ?? 0) << 8)
  return ((data[(at * bits) >> 3] ?? 0) >> ((at * bits) & 7)) & ((1 << bits) - 1)
}

const markRows = (section: VoxelSection, looks: LookTable): void => {
  section.opaque.fill(0)
  section.clear = noRows
  section.plants = noRows
  let last = 0
  let rows: Uint16Array | undefined
  for (let at = 0; at < blocksPerSection; at += 1) {
    const index = section.blocks[at] ?? 0
    if (index !== last) {
      rows = rowsOf(section, looks, index)
      last = index
    }
    if (rows !== undefined) rows[at >> 4] = (rows[at >> 4] ?? 0) | (1 << (at & 15))
  }
}

const unpackSection = (packed: PackedSection, looks: LookTable): VoxelSection => {
  const section = createSection(packed.palette.some((index) => index > byteMax))
  if (packed.bits === 0) section.blocks.fill(packed.palette[0] ?? 0)
  else for (let at = 0; at < blocksPerSection; at += 1) section.blocks[at] = packed.palette[readEntry(packed, at)] ?? 0
  markRows(section, looks)
  return section
}

/** Leaves do not block light. */
const darkens = (looks: LookTable, index: number): boolean => looks[index]?.style !== styles.leaves

const findHeight = ({ sections }: VoxelColumn, x: number, z: number, looks: LookTable): number => {
  for (let sy = sectionCount - 1; sy >= 0; sy -= 1) {
    const section = sections[sy]
    if (section === undefined) continue
    for (let y = 15; y >= 0; y -= 1) {
      const row = (y << 4) | z
      if ((((section.opaque[row] ?? 0) >> x) & 1) === 1 && darkens(looks, section.blocks[(row << 4) | x] ?? 0))
        return (sy << 4) | y
    }
  }
  return -1
}

const measure = (column: VoxelColumn, looks: LookTable): VoxelColumn => {
  for (let z = 0; z < 16; z += 1) for (let x = 0; x < 16; x += 1) column.heights[(z << 4) | x] = findHeight(column, x, z, looks)
  return column
}

export const unpackColumn = (cx: number, cz: number, packed: readonly PackedSection[], looks: LookTable): VoxelColumn => {
  const sections: VoxelColumn['sections'] = new Array(sectionCount).fill(undefined)
  for (const section of packed) sections[section.y] = unpackSection(section, looks)
  return measure({ cx, cz, sections, heights: new Int16Array(256) }, looks)
}

/** Sets a block, by x and z of the world. */
export const changeColumn = (column: VoxelColumn, { x, y, z, index }: IndexEdit, looks: LookTable): void => {
  if (y < 0 || y > 255) return
  let section = column.sections[y >> 4]
  if (section === undefined) {
    if (index === 0) return
    section = createSection(false)
    column.sections[y >> 4] = section
  }
  if (index > byteMax && section.blocks instanceof Uint8Array) {
    section = { ...section, blocks: Uint16Array.from(section.blocks) }
    column.sections[y >> 4] = section
  }
  const row = ((y & 15) << 4) | (z & 15)
  const bit = 1 << (x & 15)
  section.blocks[(row << 4) | (x & 15)] = index
  for (const rows of [section.opaque, section.clear, section.plants]) if (rows !== noRows) rows[row] = (rows[row] ?? 0) & ~bit
  const rows = rowsOf(section, looks, index)
  if (rows !== undefined) rows[row] = (rows[row] ?? 0) | bit
  column.heights[((z & 15) << 4) | (x & 15)] = findHeight(column, x & 15, z & 15, looks)
}

/** Sets new looks: an opaque block may become transparent. */
export const relookColumn = (column: VoxelColumn, looks: LookTable): void => {
  for (const section of column.sections) if (section !== undefined) markRows(section, looks)
  measure(column, looks)
}
