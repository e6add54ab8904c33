/** The view of the map: the block at its centre, and the width of a block in pixels. */
export type View = { readonly x: number; readonly z: number; readonly scale: number }

export type Size = { readonly width: number; readonly height: number }

/** Blocks from above, both ends included. */
export type Area = { readonly minX: number; readonly minZ: number; readonly maxX: number; readonly maxZ: number }

const scaleMin = 1 / 128
const scaleMax = 32
export const columnSize = 16

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

/** Worlds end here, so the view does too. */
const edge = 30_000_000

export const moveTo = (view: View, x: number, z: number): View => ({
  ...view,
  x: clamp(x, -edge, edge),
  z: clamp(z, -edge, edge),
})

export const toScreen = (view: View, { width, height }: Size, x: number, z: number) => ({
  left: (x - view.x) * view.scale + width / 2,
  top: (z - view.z) * view.scale + height / 2,
})

export const toBlock = (view: View, { width, height }: Size, left: number, top: number) => ({
  x: view.x + (left - width / 2) / view.scale,
  z: view.z + (top - height / 2) / view.scale,
})

export const panBy = (view: View, left: number, top: number): View =>
  moveTo(view, view.x - left / view.scale, view.z - top / view.scale)

/** Zooms around a point, which keeps its position on the screen. */
export const zoomAt = (view: View, size: Size, factor: number, left = size.width / 2, top = size.height / 2): View => {
  const scale = clamp(view.scale * factor, scaleMin, scaleMax)
  const { x, z } = toBlock(view, size, left, top)
  return moveTo({ ...view, scale }, x - (left - size.width / 2) / scale, z - (top - size.height / 2) / scale)
}

export const areaOf = (view: View, size: Size): Area => {
  const from = toBlock(view, size, 0, 0)
  const to = toBlock(view, size, size.width, size.height)
  return { minX: Math.floor(from.x), minZ: Math.floor(from.z), maxX: Math.floor(to.x), maxZ: Math.floor(to.z) }
}

/** The view that shows all of an area, no nearer than a block to four pixels. */
export const fitArea = (area: Area, size: Size): View => {
  const wide = area.maxX - area.minX + 1
  const high = area.maxZ - area.minZ + 1
  const scale = clamp(Math.min(size.width / wide, size.height / high) * 0.7, scaleMin, 4)
  return { x: area.minX + wide / 2, z: area.minZ + high / 2, scale }
}

export const doAreasMeet = (one: Area, other: Area): boolean =>
  one.minX <= other.maxX && other.minX <= one.maxX && one.minZ <= other.maxZ && other.minZ <= one.maxZ
