import type { MessageHandler } from './message.ts'

/** A message to a module. The reply has the same `seq`. */
export const moduleCall: MessageHandler<'moduleCall'> = {
  cost: 1,
  handle: (_game, session, { seq, module }) => {
    const reason = `This server has no module "${[...module].slice(0, 64).join('')}".`
    const value = { seq, ok: false, body: new Uint8Array(), code: 'unknown-message', reason }
    session.connection?.send({ $case: 'moduleReply', value })
  },
}
