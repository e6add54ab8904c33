/** The extent of a body along one axis, relative to its position. */
export type Extent = { readonly below: number; readonly above: number }

/** The tolerance of positions: other players see them to 1/64 block. */
const tolerance = 1 / 64

/** The extent of a player's body along x and z: 0.6 wide, less 1/64 block on each side. */
export const bodySides: Extent = { below: tolerance - 0.3, above: 0.3 - tolerance }

/** The extent along y: 1.8 high. The position is that of the feet. */
export const bodyHeight: Extent = { below: tolerance, above: 1.8 - tolerance }

/** The first block along one axis that a body at `position` touches. */
export const firstBlock = (position: number, { below }: Extent): number => Math.floor(position + below)

/** The last block along one axis that a body at `position` touches. */
export const lastBlock = (position: number, { above }: Extent): number => Math.ceil(position + above) - 1
