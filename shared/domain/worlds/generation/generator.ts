import type { Chunk } from '../../../rules/chunks/chunk.ts'

/** Makes the terrain of one world: the same seed, settings and version make the same blocks, on any machine and in any order. */
export type Generator = {
  /** A new column, its palettes in indexes of the registry that the generator was made with. */
  generate(cx: number, cz: number): Chunk
  /** Height of the highest solid block of the bare terrain, trees aside; below the sea level where there is water. Costs no column. */
  surfaceAt(x: number, z: number): number
  /** Height of the highest water of the sea; 0 where there is none. */
  readonly seaLevel: number
}
