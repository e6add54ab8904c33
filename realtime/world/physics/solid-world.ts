import type { BlockRegistry } from '../../../shared/worlds/chunks/block-registry.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'

/** What one has to know of a world to stand in it: the blocks in memory, and which kinds are solid. */
export type SolidWorld = {
  readonly loaded: Pick<LoadedWorld, 'blockAt'>
  readonly registry: Pick<BlockRegistry, 'isSolid'>
}
