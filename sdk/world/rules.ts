// The one door to what the server decides by: pure code, the very same on both sides (test/architecture.test.ts keeps it pure).

export {
  createMoveBudget,
  findMoveRefusal,
  type MoveBudget,
  type MoveRefusal,
  normaliseAngles,
  payForMove,
  refillMoveBudget,
  resetMoveBudget,
} from '../../realtime/world/physics/move-budget.ts'
export { type BlockRefusal, findBlockRefusal } from '../../realtime/world/physics/move-through-blocks.ts'
export {
  type BlockBox,
  eyeHeight,
  isWithinReach,
  type Point,
  reachBlocks,
  touchesBody,
} from '../../realtime/world/physics/reach.ts'
export type { SolidWorld } from '../../realtime/world/physics/solid-world.ts'
export {
  air,
  type Chunk as Column,
  createChunk as createColumn,
  getBlock,
  type Section as ColumnSection,
  type SectionBits,
  setBlock,
} from '../../shared/worlds/chunks/chunk.ts'
export { type BlockPos, chunkCoordinate, chunkKey, isChunkPos, worldHeight } from '../../shared/worlds/space/positions.ts'
