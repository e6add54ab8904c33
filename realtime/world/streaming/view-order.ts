/** The number of directions, 22.5 degrees each. */
const directions = 16

/** How much nearer a column straight ahead counts, and how much farther one behind. */
const headStart = 0.3

/** Columns in sending order, as offsets from the player's column: `dx[i]`, `dz[i]`. */
export type ViewOrder = { readonly dx: Int8Array; readonly dz: Int8Array }

/** A direction as a vector of length 1. */
export type Ahead = { readonly x: number; readonly z: number }

/** The direction of a yaw in degrees. Yaw 0 looks along +x, 90 along +z. */
export const directionOf = (yaw: number): number => {
  const direction = Math.round((yaw / 360) * directions) % directions
  return direction >= 0 ? direction : direction + directions
}

/** The vector of a direction. */
export const aheadOf = (direction: number): Ahead => {
  const angle = (direction / directions) * 2 * Math.PI
  return { x: Math.cos(angle), z: Math.sin(angle) }
}

/** The rank of a column: its distance in columns, less if it is ahead. */
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

/** The sending orders by radius and direction, created on first use. */
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
