import { type Area, columnSize } from './view.ts'

export type Column = { readonly cx: number; readonly cz: number }

/** Columns by a string key, for use in sets. */
export type Columns = ReadonlySet<string>

/** The generated columns of an area. Nothing is known about columns outside of it. */
export type Generated = { readonly area: Area; readonly columns: Columns }

export const nameColumn = (cx: number, cz: number): string => `${cx},${cz}`

export const readColumn = (name: string): Column => {
  const [cx = 0, cz = 0] = name.split(',').map(Number)
  return { cx, cz }
}

export const toColumns = (list: readonly Column[]): Columns => new Set(list.map(({ cx, cz }) => nameColumn(cx, cz)))

export const listColumns = (columns: Columns): Column[] => [...columns].map(readColumn)

export const columnAt = (x: number, z: number): Column => ({ cx: Math.floor(x / columnSize), cz: Math.floor(z / columnSize) })

/** The most columns of a zone. Larger rectangles are refused. */
export const columnsMax = 4_096

const sides = (from: Column, to: Column) => ({
  minCx: Math.min(from.cx, to.cx),
  maxCx: Math.max(from.cx, to.cx),
  minCz: Math.min(from.cz, to.cz),
  maxCz: Math.max(from.cz, to.cz),
})

export const countRectangle = (from: Column, to: Column): number => {
  const { minCx, maxCx, minCz, maxCz } = sides(from, to)
  return (maxCx - minCx + 1) * (maxCz - minCz + 1)
}

/** Every column between two corners. */
export const listRectangle = (from: Column, to: Column): Column[] => {
  const { minCx, maxCx, minCz, maxCz } = sides(from, to)
  const list: Column[] = []
  for (let cx = minCx; cx <= maxCx; cx += 1) for (let cz = minCz; cz <= maxCz; cz += 1) list.push({ cx, cz })
  return list
}

/** Every column on the path of a pointer, whose events may skip some. */
export const listLine = (from: Column, to: Column): Column[] => {
  const steps = Math.max(Math.abs(to.cx - from.cx), Math.abs(to.cz - from.cz), 1)
  return Array.from({ length: steps + 1 }, (_, step) => ({
    cx: Math.round(from.cx + ((to.cx - from.cx) * step) / steps),
    cz: Math.round(from.cz + ((to.cz - from.cz) * step) / steps),
  }))
}

/** The blocks between the outermost columns. */
export const areaOfColumns = (list: Iterable<Column>): Area | undefined => {
  let minCx = Number.POSITIVE_INFINITY
  let minCz = Number.POSITIVE_INFINITY
  let maxCx = Number.NEGATIVE_INFINITY
  let maxCz = Number.NEGATIVE_INFINITY
  for (const { cx, cz } of list) {
    minCx = Math.min(minCx, cx)
    minCz = Math.min(minCz, cz)
    maxCx = Math.max(maxCx, cx)
    maxCz = Math.max(maxCz, cz)
  }
  if (minCx > maxCx) return undefined
  const last = columnSize - 1
  return {
    minX: minCx * columnSize,
    minZ: minCz * columnSize,
    maxX: maxCx * columnSize + last,
    maxZ: maxCz * columnSize + last,
  }
}
