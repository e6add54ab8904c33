/** The parts of a world needed for collisions: the block index at a place, and whether a kind is solid. */
export type SolidWorld = {
  readonly loaded: {
    /** Undefined if the column is not in memory. */
    blockAt(x: number, y: number, z: number): number | undefined
  }
  readonly registry: { isSolid(index: number): boolean }
}
