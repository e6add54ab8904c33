/** What one has to know of a world to stand in it: the index of the block at a place, and which kinds are solid. */
export type SolidWorld = {
  readonly loaded: {
    /** Undefined where the column is not in memory. */
    blockAt(x: number, y: number, z: number): number | undefined
  }
  readonly registry: { isSolid(index: number): boolean }
}
