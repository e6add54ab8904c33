import { bodyBlocks } from './body-extent.ts'

/**
 * The body of a player and its usual movement, in blocks and seconds. Welcome has it, so that all clients move alike. The server limits
 * only the speed (move-budget.ts).
 */
export const usualMovement = {
  gravity: 27,
  walkSpeed: 4.6,
  runSpeed: 7,
  flySpeed: 10,
  jumpHeight: 1.37,
  bodyWidth: bodyBlocks.width,
  bodyHeight: bodyBlocks.height,
} as const
