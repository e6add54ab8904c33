import type { MessageHandler } from './message.ts'

export const ping: MessageHandler<'ping'> = {
  cost: 1,
  handle: (game, session, { nonce }) =>
    session.connection?.send({ $case: 'pong', value: { nonce, serverTime: game.clock.now() } }),
}
