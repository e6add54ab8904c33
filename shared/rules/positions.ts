/** A block by its corner: whole numbers, x and z in -30,000,000…29,999,999, y in 0…255. */
export type BlockPos = { readonly x: number; readonly y: number; readonly z: number }

/** A column of 16×16 blocks: `cx` is `floor(x / 16)`, `cz` is `floor(z / 16)`. */
export type ChunkPos = { readonly cx: number; readonly cz: number }

/** Columns from `minCx` to `maxCx` and `minCz` to `maxCz`, both ends included. */
export type ChunkBox = { readonly minCx: number; readonly maxCx: number; readonly minCz: number; readonly maxCz: number }

/** Width of a column in blocks, and of a section in each direction. */
export const chunkBlocks = 16

/** The height of the world in blocks. */
export const worldHeight = 256

/** The number of sections in a column, one above the other. */
export const sectionsPerChunk = worldHeight / chunkBlocks

export const blockMin = -30_000_000
export const blockMax = 29_999_999
export const chunkMin = blockMin / chunkBlocks
export const chunkMax = (blockMax + 1) / chunkBlocks - 1

/** The column coordinate of a block coordinate. */
export const chunkCoordinate = (blocks: number): number => Math.floor(blocks / chunkBlocks)

const isWithin = (value: number, min: number, max: number): boolean => Number.isInteger(value) && value >= min && value <= max

/** Whether a block can be at this position. */
export const isBlockPos = ({ x, y, z }: BlockPos): boolean =>
  isWithin(x, blockMin, blockMax) && isWithin(z, blockMin, blockMax) && isWithin(y, 0, worldHeight - 1)

/** Whether a column can be at this position. */
export const isChunkPos = ({ cx, cz }: ChunkPos): boolean => isWithin(cx, chunkMin, chunkMax) && isWithin(cz, chunkMin, chunkMax)

/** A key for maps: a number that is unique for each column of a world, or for each square of a coarser grid. */
export const chunkKey = (cx: number, cz: number): number => (cx + 2 ** 21) * 2 ** 22 + (cz + 2 ** 21)

/** The column of a `chunkKey`. */
export const chunkPosOf = (key: number): ChunkPos => ({ cx: Math.floor(key / 2 ** 22) - 2 ** 21, cz: (key % 2 ** 22) - 2 ** 21 })
