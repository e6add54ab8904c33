export { type BlockCache, createBlockCache, decodeChunk } from './world/block-cache.ts'
export { findBlockRefusal } from './world/block-refusal.ts'
export { findGround } from './world/ground.ts'
export { createMover, type Mover } from './world/mover.ts'
export { createPlayerPlaces, type PlayerPlaces, type SeenPlayer } from './world/player-places.ts'
export { directionOf, findTarget, type RayHit, walkRay } from './world/ray.ts'
export { type MoveVisitor, readMoves } from './world/read-moves.ts'
export {
  type BlockPos,
  type BlockRefusal,
  type Column,
  chunkKey,
  eyeHeight,
  getBlock,
  isChunkPos,
  isWithinReach,
  type MoveRefusal,
  type Point,
  reachBlocks,
  type SolidWorld,
  touchesBody,
  usualMovement,
} from './world/rules.ts'
export { type WalkEnd, WalkError, type WalkOptions } from './world/walk.ts'
export { type WatchedSession, type WatchedWorld, watchWorld } from './world/watch-world.ts'
