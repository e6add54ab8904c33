/** The extent of a body along one axis, relative to its position. */
export type Extent = { readonly below: number; readonly above: number }

/** The size of a player's body in blocks. The position is in the middle of it, at the feet. */
export const bodyBlocks = { width: 0.6, height: 1.8 } as const

/** The tolerance of positions: other players see them to 1/64 block. */
const tolerance = 1 / 64

/** The extent of a player's body along x and z, less the tolerance on each side. */
export const bodySides: Extent = { below: tolerance - bodyBlocks.width / 2, above: bodyBlocks.width / 2 - tolerance }

/** The extent along y, less the tolerance on each side. */
export const bodyHeight: Extent = { below: tolerance, above: bodyBlocks.height - tolerance }

/** The first block along one axis that a body at `position` touches. */
export const firstBlock = (position: number, { below }: Extent): number => Math.floor(position + below)

/** The last block along one axis that a body at `position` touches. */
export const lastBlock = (position: number, { above }: Extent): number => Math.ceil(position + above) - 1
