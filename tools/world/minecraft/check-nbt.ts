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
