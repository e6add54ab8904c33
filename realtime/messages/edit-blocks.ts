import type { MessageHandler } from './message.ts'

/** The cost of a few edits. */
export const editCost = 4
const editsPerCost = 16
const costMax = 20

/** Applies all edits or none. Each sixteen edits cost as much as one ordinary message. */
export const editBlocks: MessageHandler<'editBlocks'> = {
  cost: ({ edits }) => Math.min(editCost + Math.floor(edits.length / editsPerCost), costMax),
  handle: ({ world }, session, message) => world.edits.edit(session, message),
}
