import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, median, round } from '../result.ts'
import { type BenchChild, startChild } from './child.ts'
import type { ServerMeasure } from './measured-server.ts'

const players = 200
const sideBlocks = 400
const feeds = 100
const rounds = 5
const measureMs = 8_000
const targetMs = 3

const count = (name: string) => (message: Record<string, unknown>) =>
  typeof message[name] === 'number' ? message[name] : undefined

const measureOnce = async (server: BenchChild): Promise<ServerMeasure> => {
  server.send('begin')
  await pause(measureMs)
  server.send('end')
  return server.wait((message) => (message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))))
}

/**
 * Benchmarks the additional cost of 100 feeds, each with a different view, for the ticks of a node with 200 walking players. It
 * runs with and without feeds in turns. It cannot show pages that draw the events.
 */
export const worldFeedCrowd: Bench = {
  name: 'world-feed-crowd',
  run: async () => {
    const scenario = { players, sideBlocks, joinsPerSecond: 100, observers: 2, measureMs, hasAdmin: true }
    const server = startChild('realtime/gatehouse-server.ts', [JSON.stringify(scenario)])
    const children = [server]
    try {
      const { port, tokens, admin } = await server.wait((message) =>
        typeof message.ready === 'number'
          ? { port: message.ready, tokens: message.tokens, admin: String(message.admin) }
          : undefined,
      )
      const load = startChild('realtime/load.ts', [JSON.stringify({ kind: 'gatehouse', port, tokens, ...scenario })])
      children.push(load)
      await load.wait((message) => (message.ready === true ? true : undefined))
      load.send('connect')
      await load.wait(count('connected'))
      server.send('spread')
      await pause(6_000)
      load.send('walk')
      await pause(10_000)
      const [without, withFeeds, messages]: [number[], number[], number[]] = [[], [], []]
      for (let turn = 0; turn < rounds; turn += 1) {
        without.push((await measureOnce(server)).tickP99Ms)
        const readers = startChild('realtime/feeds-load.ts', [JSON.stringify({ port, token: admin, feeds })])
        children.push(readers)
        await readers.wait(count('opened'))
        await pause(1_000)
        readers.send('begin')
        withFeeds.push((await measureOnce(server)).tickP99Ms)
        readers.send('end')
        messages.push((await readers.wait(count('messages'))) / feeds / (measureMs / 1000))
        await readers.stop()
        await pause(1_000)
      }
      const rise = median(withFeeds) - median(without)
      const common = { bench: 'world-feed-crowd', unit: 'ms' }
      const list = (values: readonly number[]) => values.map((value) => round(value, 1)).join(', ')
      return [
        {
          ...common,
          figure: `rise of tick p99 by ${feeds} feeds that look at ${players} walking players`,
          value: round(rise, 2),
          target: `under ${targetMs} ms`,
          met: rise < targetMs,
        },
        { ...common, figure: `tick p99 without, of ${list(without)}`, value: round(median(without), 2) },
        { ...common, figure: `tick p99 with, of ${list(withFeeds)}`, value: round(median(withFeeds), 2) },
        { ...common, figure: 'messages to each feed', value: round(median(messages), 1), unit: 'messages/s' },
      ]
    } finally {
      for (const child of children) await child.stop()
    }
  },
}
