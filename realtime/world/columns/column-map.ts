const sideBits = 4
const side = 2 ** sideBits
const mask = side - 1

/** The values of neighbouring columns. `count` is the number of values. */
type Tile<T> = { readonly values: (T | undefined)[]; count: number }

/** A map with columns as keys. */
export type ColumnMap<T> = {
  get(cx: number, cz: number): T | undefined
  set(cx: number, cz: number, value: T): void
  delete(cx: number, cz: number): void
  size(): number
  /** A copy of the values, unordered. */
  values(): T[]
}

const indexInTile = (cx: number, cz: number): number => ((cx & mask) << sideBits) | (cz & mask)

const isThere = <T>(value: T | undefined): value is T => value !== undefined

/**
 * An empty map, in tiles of 16 × 16. Each move of a player looks up columns; a single number as key would be so large that the
 * engine allocates an object for it.
 */
export const createColumnMap = <T>(): ColumnMap<T> => {
  const rows = new Map<number, Map<number, Tile<T>>>()
  let size = 0

  const findTile = (cx: number, cz: number): Tile<T> | undefined => rows.get(cx >> sideBits)?.get(cz >> sideBits)

  const createTile = (cx: number, cz: number): Tile<T> => {
    const row = rows.get(cx >> sideBits) ?? new Map<number, Tile<T>>()
    rows.set(cx >> sideBits, row)
    const tile: Tile<T> = { values: Array.from<T | undefined>({ length: side * side }).fill(undefined), count: 0 }
    row.set(cz >> sideBits, tile)
    return tile
  }

  const dropTile = (cx: number, cz: number): void => {
    const row = rows.get(cx >> sideBits)
    row?.delete(cz >> sideBits)
    if (row?.size === 0) rows.delete(cx >> sideBits)
  }

  return {
    get: (cx, cz) => findTile(cx, cz)?.values[indexInTile(cx, cz)],
    set: (cx, cz, value) => {
      const tile = findTile(cx, cz) ?? createTile(cx, cz)
      const place = indexInTile(cx, cz)
      if (tile.values[place] === undefined) {
        tile.count += 1
        size += 1
      }
      tile.values[place] = value
    },
    delete: (cx, cz) => {
      const tile = findTile(cx, cz)
      const place = indexInTile(cx, cz)
      if (tile?.values[place] === undefined) return
      tile.values[place] = undefined
      tile.count -= 1
      size -= 1
      if (tile.count === 0) dropTile(cx, cz)
    },
    size: () => size,
    values: () => [...rows.values()].flatMap((row) => [...row.values()].flatMap(({ values }) => values.filter(isThere))),
  }
}
