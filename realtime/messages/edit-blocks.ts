import type { Game } from '../game.ts'
import type { Session } from '../session.ts'
import type { WorldEdits } from '../world/world-edits.ts'
import type { MessageHandler } from './message.ts'

/** A node may have no world, such as in a test of something else. */
type WithWorld = { readonly world?: { readonly edits: Pick<WorldEdits<Session>, 'edit'> } }

const editsPerCost = 16
const costMax = 20

/** Changes blocks of the world: all of them or none. Sixteen edits cost as much as one ordinary message more. */
export const editBlocks: MessageHandler<'editBlocks'> = {
  cost: ({ edits }) => Math.min(4 + Math.floor(edits.length / editsPerCost), costMax),
  handle: ({ world }: Game & WithWorld, session, message) => {
    if (world !== undefined) world.edits.edit(session, message)
    else session.connection?.send({ $case: 'editResult', value: { seq: message.seq, ok: false, reason: 'not-loaded' } })
  },
}
