export { type Bot, type BotOptions, startBot } from './testing/bot.ts'
export { type Bots, type BotsOptions, startBots } from './testing/bots.ts'
export { createFakeServer, type FakeAnswer, type FakePlayer, type FakeServer } from './testing/fake-server.ts'
export type { FakeEnd } from './testing/fake-socket.ts'
