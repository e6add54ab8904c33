import type { Chunk } from '../../../rules/chunks/chunk.ts'

/** Makes the terrain of one world. The same seed, settings and version make the same blocks, on any machine and in any order. */
export type Generator = {
  /** A new column. Its palettes use indexes of the generator's registry. */
  generate(cx: number, cz: number): Chunk
  /**
   * The height of the highest solid block of the terrain without trees; below the sea level under water. Does not generate a column.
   */
  surfaceAt(x: number, z: number): number
  /** The height of the highest water of the sea; 0 without a sea. */
  readonly seaLevel: number
}
