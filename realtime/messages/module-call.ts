import type { MessageHandler } from './message.ts'

/** A message to a module. The reply has the same `seq`. Its cost is that of a message that declares none. */
export const moduleCall: MessageHandler<'moduleCall'> = {
  cost: 1,
  handle: (game, session, call) =>
    game.modules.receive(session, call, (reply) =>
      session.connection?.send({ $case: 'moduleReply', value: { seq: call.seq, ...reply } }),
    ),
}
