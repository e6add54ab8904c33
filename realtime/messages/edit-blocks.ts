import type { MessageHandler } from './message.ts'

const editsPerCost = 16
const costMax = 20

/** Changes blocks of the world: all of them or none. Sixteen edits cost as much as one ordinary message more. */
export const editBlocks: MessageHandler<'editBlocks'> = {
  cost: ({ edits }) => Math.min(4 + Math.floor(edits.length / editsPerCost), costMax),
  handle: ({ world }, session, message) => world.edits.edit(session, message),
}
