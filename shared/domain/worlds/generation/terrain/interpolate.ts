/** The distance of lattice points in blocks, in each direction. Noise is computed at the points and interpolated between them. */
export const latticeBlocks = 4

/** 0 up to `from`, 1 from `to` on, smooth in between. */
export const smoothStep = (from: number, to: number, value: number): number => {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return part * part * (3 - 2 * part)
}

/** Linear interpolation between points with ascending `x`; constant before the first and after the last. */
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

/**
 * A place in a lattice of the plane: the index of the lowest corner of its cell, the distance of rows, and the position in the cell, in
 * [0, 1).
 */
export type PlaneCell = { at: number; readonly strideZ: number; partX: number; partZ: number }

/** Interpolates between a lattice point and the next one along `x`. */
export const interpolateLine = (values: Float64Array, at: number, part: number): number => {
  const value = values[at] ?? 0
  return value + ((values[at + 1] ?? 0) - value) * part
}

/** Interpolates between the four corners of a cell. Always uses the same steps, so results are identical to the last bit. */
export const interpolatePlane = (values: Float64Array, { at, strideZ, partX, partZ }: PlaneCell): number => {
  const near = interpolateLine(values, at, partX)
  const far = interpolateLine(values, at + strideZ, partX)
  return near + (far - near) * partZ
}
