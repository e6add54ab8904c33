/** From where to where something reaches along one axis, counted from its position. */
export type Extent = { readonly below: number; readonly above: number }

/** What positions may be off by: others see them to 1/64 block. */
const tolerance = 1 / 64

/** A player's body, 0.6 wide, as it is measured against blocks along x and z: smaller by 1/64 block on each side. */
export const bodySides: Extent = { below: tolerance - 0.3, above: 0.3 - tolerance }

/** The same along y: 1.8 high, and the position is that of the feet. */
export const bodyHeight: Extent = { below: tolerance, above: 1.8 - tolerance }

/** The first block that something at `position` touches, along one axis. */
export const firstBlock = (position: number, { below }: Extent): number => Math.floor(position + below)

/** The last block that something at `position` touches, along one axis. */
export const lastBlock = (position: number, { above }: Extent): number => Math.ceil(position + above) - 1
