import { read } from 'nbtify'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import type { Skip } from './skip-reason.ts'

/** Limits for a column of a hostile file, far above any real one. */
const limits = { depthMax: 512, valuesMax: 400_000, elementsMax: 1_000_000 }

const tag = { end: 0, byteArray: 7, string: 8, list: 9, compound: 10, intArray: 11, longArray: 12 } as const

/** Sizes in bytes of the tags of a fixed size, by type: byte, short, int, long, float, double. */
const fixedSizes = [0, 1, 2, 4, 8, 4, 8]
const elementSizes = new Map<number, number>([
  [tag.byteArray, 1],
  [tag.intArray, 4],
  [tag.longArray, 8],
])

class NbtFault extends Error {}

type Walk = { readonly view: DataView; at: number; values: number; elements: number }

/** Steps over this many bytes and returns the position of the first. */
const take = (walk: Walk, bytes: number): number => {
  const from = walk.at
  if (bytes < 0 || from + bytes > walk.view.byteLength) throw new NbtFault('a length is past its end')
  walk.at = from + bytes
  return from
}

const takeString = (walk: Walk): void => {
  take(walk, walk.view.getUint16(take(walk, 2)))
}

const takeArray = (walk: Walk, size: number): void => {
  const length = walk.view.getInt32(take(walk, 4))
  take(walk, length * size)
  if (size > 1) walk.elements += length
  if (walk.elements > limits.elementsMax) throw new NbtFault('it has more numbers than any column')
}

const takeList = (walk: Walk, depth: number): void => {
  const type = walk.view.getUint8(take(walk, 1))
  const length = walk.view.getInt32(take(walk, 4))
  if (length > 0 && type === tag.end) throw new NbtFault('a list has no type')
  for (let n = 0; n < length; n += 1) takeValue(walk, type, depth)
}

const takeCompound = (walk: Walk, depth: number): void => {
  for (;;) {
    const type = walk.view.getUint8(take(walk, 1))
    if (type === tag.end) return
    takeString(walk)
    takeValue(walk, type, depth)
  }
}

const takeValue = (walk: Walk, type: number, depth: number): void => {
  walk.values += 1
  if (walk.values > limits.valuesMax) throw new NbtFault('it has more values than any column')
  if (depth > limits.depthMax) throw new NbtFault('it is nested too deeply')
  const elementSize = elementSizes.get(type)
  const fixedSize = fixedSizes[type]
  if (fixedSize !== undefined && type !== tag.end) take(walk, fixedSize)
  else if (elementSize !== undefined) takeArray(walk, elementSize)
  else if (type === tag.string) takeString(walk)
  else if (type === tag.list) takeList(walk, depth + 1)
  else if (type === tag.compound) takeCompound(walk, depth + 1)
  else throw new NbtFault(`there is no tag of type ${type}`)
}

/**
 * The fault of a named binary tag (big-endian, with a root compound); undefined when a reader may parse it. Checks that every
 * length is inside the data, and that values, numbers and depth stay within the limits. Ignores data after its end, as
 * Minecraft does, because some programs leave some there. Costs one pass and no memory.
 */
export const checkNbt = (bytes: Uint8Array): string | undefined => {
  const walk: Walk = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0, values: 0, elements: 0 }
  try {
    if (walk.view.getUint8(take(walk, 1)) !== tag.compound) return 'its root is not a compound'
    takeString(walk)
    takeCompound(walk, 1)
    return undefined
  } catch (error) {
    if (error instanceof NbtFault) return error.message
    throw error
  }
}

/** A kind of block in the file: its name without `minecraft:`, and whether it is in water. */
export type MinecraftBlock = { readonly name: string; readonly waterlogged: boolean }

/** 16×16×16 blocks, `y` in sections from height 0. Without `data` all are `palette[0]`. */
export type MinecraftSection = {
  readonly y: number
  readonly palette: readonly MinecraftBlock[]
  readonly data: BigInt64Array | undefined
}

export type MinecraftColumn = { readonly sections: readonly MinecraftSection[] }

/** The data version of 1.18, the first with columns from -64 to 319 and palettes under `block_states`. */
const dataVersionMin = 2860
const releases: readonly (readonly [from: number, name: string])[] = [
  [2724, '1.17'],
  [2566, '1.16'],
  [2225, '1.15'],
  [1952, '1.14'],
  [1519, '1.13'],
  [1139, '1.12'],
]
const releaseOf = (dataVersion: number): string => releases.find(([from]) => dataVersion >= from)?.[1] ?? 'before 1.12'

class ColumnFault extends Error {}

type Compound = Readonly<Record<string, unknown>>
export const isCompound = (value: unknown): value is Compound =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const numberOf = (value: unknown): number | undefined =>
  value instanceof Number || typeof value === 'number' ? value.valueOf() : undefined

const regionColumns = 32
const isSameWithinRegion = (said: unknown, at: number): boolean => {
  const number = numberOf(said)
  return number !== undefined && Number.isInteger(number) && (number - at) % regionColumns === 0
}

const readBlock = (value: unknown): MinecraftBlock => {
  if (!isCompound(value) || typeof value.Name !== 'string') throw new ColumnFault('a block of a palette has no name')
  const properties = value.Properties
  const waterlogged = isCompound(properties) && properties.waterlogged === 'true'
  return { name: value.Name.replace(/^minecraft:/, ''), waterlogged }
}

const readSection = (value: unknown): MinecraftSection | undefined => {
  if (!isCompound(value)) throw new ColumnFault('a section is not a compound')
  const [states, y] = [value.block_states, numberOf(value.Y)]
  // Sections above and below the blocks have only light.
  if (states === undefined) return undefined
  if (y === undefined) throw new ColumnFault('a section has no height')
  const [palette, data] = isCompound(states) ? [states.palette, states.data] : []
  if (!Array.isArray(palette) || palette.length === 0) throw new ColumnFault('a section has no palette')
  if (palette.length > 4096) throw new ColumnFault('a palette has more entries than a section has blocks')
  if (data !== undefined && !(data instanceof BigInt64Array))
    throw new ColumnFault('the blocks of a section are not packed as expected')
  return { y, palette: palette.map(readBlock), data }
}

const readRoot = (root: unknown, { cx, cz }: ChunkPos): MinecraftColumn | Skip => {
  if (!isCompound(root)) throw new ColumnFault('its root is not a compound')
  const dataVersion = numberOf(root.DataVersion) ?? 0
  if (dataVersion < dataVersionMin)
    return {
      reason: 'too-old',
      detail: `it was saved by Minecraft ${releaseOf(dataVersion)} (data version ${dataVersion}); 1.18 or newer is needed. Open the world there once with "Optimize World"`,
    }
  const status = root.Status
  if (status !== 'full' && status !== 'minecraft:full')
    return { reason: 'unfinished', detail: `Minecraft has not finished it (status ${String(status).slice(0, 64)})` }
  // The name of a renamed region file decides where it is. Only the position of a column within the file must match.
  if (!isSameWithinRegion(root.xPos, cx) || !isSameWithinRegion(root.zPos, cz))
    throw new ColumnFault('its position belongs to another column')
  const sections = root.sections
  if (!Array.isArray(sections)) throw new ColumnFault('it has no sections')
  return { sections: sections.map(readSection).filter((section) => section !== undefined) }
}

/**
 * Reads a column of 1.18 or newer from its named binary tag, or returns why it is left out. Never throws for the content of
 * `nbt`.
 */
export const readMinecraftColumn = async (nbt: Uint8Array, pos: ChunkPos): Promise<MinecraftColumn | Skip> => {
  const fault = checkNbt(nbt)
  if (fault !== undefined) return { reason: 'damaged', detail: `its data is not a named binary tag: ${fault}` }
  try {
    const { data } = await read(nbt, { rootName: true, endian: 'big', compression: null, bedrockLevel: false, strict: false })
    return readRoot(data, pos)
  } catch (error) {
    return { reason: 'damaged', detail: error instanceof ColumnFault ? error.message : 'its data is not a named binary tag' }
  }
}
