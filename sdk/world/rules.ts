// The only import of the server's rules: pure code, the same on both sides (test/architecture.test.ts keeps it pure).

export {
  air,
  type Chunk as Column,
  createChunk as createColumn,
  getBlock,
  type Section as ColumnSection,
  type SectionBits,
  setBlock,
} from '../../shared/rules/chunks/chunk.ts'
export {
  createMoveBudget,
  findMoveRefusal,
  type MoveBudget,
  type MoveRefusal,
  normaliseAngles,
  payForMove,
  refillMoveBudget,
  resetMoveBudget,
  usualMovement,
} from '../../shared/rules/movement/move-budget.ts'
export type { SolidWorld } from '../../shared/rules/movement/move-through-blocks.ts'
export { type BlockRefusal, findBlockRefusal } from '../../shared/rules/movement/move-through-blocks.ts'
export {
  type BlockBox,
  eyeHeight,
  isWithinReach,
  type Point,
  reachBlocks,
  touchesBody,
} from '../../shared/rules/movement/reach.ts'
export { type BlockPos, chunkCoordinate, chunkKey, isChunkPos, worldHeight } from '../../shared/rules/positions.ts'
