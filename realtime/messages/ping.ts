import type { MessageHandler } from './message.ts'

/** The answer follows all that was said before the question. */
export const ping: MessageHandler<'ping'> = {
  cost: 1,
  handle: ({ broadcasts, clock }, { connection }, { nonce }) => {
    const value = { nonce, serverTime: clock.now() }
    broadcasts.afterLines(() => connection?.send({ $case: 'pong', value }))
  },
}
