import type { MessageHandler } from './message.ts'

/** The answer comes after all chat lines that were sent before the ping. */
export const ping: MessageHandler<'ping'> = {
  cost: 1,
  handle: ({ broadcasts, clock }, { connection }, { nonce }) => {
    const value = { nonce, serverTime: clock.now() }
    broadcasts.afterLines(() => connection?.send({ $case: 'pong', value }))
  },
}
