/** Distance of lattice points in blocks, in each direction: noise is computed there, and interpolated between. */
export const latticeBlocks = 4

/** 0 up to `from`, 1 from `to` on, smooth between. */
export const smoothStep = (from: number, to: number, value: number): number => {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return part * part * (3 - 2 * part)
}

/** Straight lines between points of ascending `x`; level beyond the first and the last. */
export const followLine = (points: readonly (readonly [x: number, y: number])[], value: number): number => {
  let [lastX, lastY] = points[0] ?? [0, 0]
  if (value <= lastX) return lastY
  for (const [x, y] of points) {
    if (value < x) return lastY + ((y - lastY) * (value - lastX)) / (x - lastX)
    lastX = x
    lastY = y
  }
  return lastY
}

/** A place in a lattice of the plane: the lowest corner of its cell, the distance of rows, and the way into the cell, in [0, 1). */
export type PlaneCell = { at: number; readonly strideZ: number; partX: number; partZ: number }

/** Between a lattice point and the next in `x`. */
export const interpolateLine = (values: Float64Array, at: number, part: number): number => {
  const value = values[at] ?? 0
  return value + ((values[at + 1] ?? 0) - value) * part
}

/** Between the four corners of a cell; always by the same steps, so that the same place is the same to the last bit. */
export const interpolatePlane = (values: Float64Array, { at, strideZ, partX, partZ }: PlaneCell): number => {
  const near = interpolateLine(values, at, partX)
  const far = interpolateLine(values, at + strideZ, partX)
  return near + (far - near) * partZ
}
