import type { MessageHandler } from './message.ts'

const editsPerCost = 16
const costMax = 20

/** Applies all edits or none. Each sixteen edits cost as much as one ordinary message. */
export const editBlocks: MessageHandler<'editBlocks'> = {
  cost: ({ edits }) => Math.min(4 + Math.floor(edits.length / editsPerCost), costMax),
  handle: ({ world }, session, message) => world.edits.edit(session, message),
}
