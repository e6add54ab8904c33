import type { MessageHandler } from './message.ts'

/** Changes blocks of the world: all of them or none. */
export const editBlocks: MessageHandler<'editBlocks'> = {
  cost: 4,
  handle: (_game, session, { seq }) =>
    session.connection?.send({ $case: 'editResult', value: { seq, ok: false, reason: 'not-loaded' } }),
}
