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

/** A place in a lattice of the plane: the lowest corner of its cell, the distance of rows, and how far into the cell it is, in [0, 1). */
export type PlaneCell = { readonly at: number; readonly strideZ: number; readonly partX: number; readonly partZ: number }

/** Between the four corners of a cell; always by the same steps, so that the same place is the same to the last bit. */
export const interpolatePlane = (values: Float64Array, { at, strideZ, partX, partZ }: PlaneCell): number => {
  const a = values[at] ?? 0
  const c = values[at + strideZ] ?? 0
  const near = a + ((values[at + 1] ?? 0) - a) * partX
  const far = c + ((values[at + strideZ + 1] ?? 0) - c) * partX
  return near + (far - near) * partZ
}

/** Distances of neighbours in `z` and `y` in a lattice of space. */
export type SpaceStrides = { readonly z: number; readonly y: number }

type Parts = { x: number; y: number; z: number }

/** Between the eight corners of a cell of space, likewise. */
export const interpolateSpace = (values: Float64Array, at: number, strides: SpaceStrides, parts: Parts): number => {
  const above = at + strides.y
  const a = values[at] ?? 0
  const b = values[at + strides.z] ?? 0
  const c = values[above] ?? 0
  const d = values[above + strides.z] ?? 0
  const lowNear = a + ((values[at + 1] ?? 0) - a) * parts.x
  const lowFar = b + ((values[at + strides.z + 1] ?? 0) - b) * parts.x
  const highNear = c + ((values[above + 1] ?? 0) - c) * parts.x
  const highFar = d + ((values[above + strides.z + 1] ?? 0) - d) * parts.x
  const low = lowNear + (lowFar - lowNear) * parts.z
  const high = highNear + (highFar - highNear) * parts.z
  return low + (high - low) * parts.y
}
