/** Directions that are told apart, each of 22.5 degrees. */
const directions = 16

/** How much nearer what lies straight ahead counts, and how much farther what lies behind. */
const headStart = 0.3

/** Columns in the order in which a client wants them, as offsets from the player's own: `dx[i]`, `dz[i]`. */
export type ViewOrder = { readonly dx: Int8Array; readonly dz: Int8Array }

/** A direction as a step of one block. */
export type Ahead = { readonly x: number; readonly z: number }

/** Which of sixteen directions a yaw in degrees is; yaw 0 looks along +x, 90 along +z. */
export const directionOf = (yaw: number): number => {
  const direction = Math.round((yaw / 360) * directions) % directions
  return direction >= 0 ? direction : direction + directions
}

/** Where that direction leads. */
export const aheadOf = (direction: number): Ahead => {
  const angle = (direction / directions) * 2 * Math.PI
  return { x: Math.cos(angle), z: Math.sin(angle) }
}

/** How late a column comes: its distance in columns, less when it lies ahead. */
export const rankOf = (dx: number, dz: number, ahead: Ahead): number =>
  Math.sqrt(dx * dx + dz * dz) - headStart * (dx * ahead.x + dz * ahead.z)

const createOrder = (radius: number, direction: number): ViewOrder => {
  const ahead = aheadOf(direction)
  const offsets: { dx: number; dz: number; rank: number }[] = []
  for (let dx = -radius; dx <= radius; dx += 1)
    for (let dz = -radius; dz <= radius; dz += 1) offsets.push({ dx, dz, rank: rankOf(dx, dz, ahead) })
  offsets.sort((a, b) => a.rank - b.rank)
  return { dx: Int8Array.from(offsets, ({ dx }) => dx), dz: Int8Array.from(offsets, ({ dz }) => dz) }
}

/** The orders of squares of a radius, each made on first use and kept. */
export const createViewOrders = (): ((radius: number, direction: number) => ViewOrder) => {
  const orders = new Map<number, ViewOrder>()
  return (radius, direction) => {
    const key = radius * directions + direction
    const known = orders.get(key)
    if (known !== undefined) return known
    const order = createOrder(radius, direction)
    orders.set(key, order)
    return order
  }
}
