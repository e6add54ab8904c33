import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { createMemoryWatch } from '../../realtime/modules/memory-watch.ts'
import { type CallSource, createModuleCalls } from '../../realtime/modules/module-calls.ts'
import { createTimeLimit, type TimeLimit } from '../../realtime/modules/time-limit.ts'
import { ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { type GameWithModules, startGameWithModules } from '../../test/support/modules/game-with-modules.ts'
import { startNodeWithModules } from '../../test/support/modules/node-with-modules.ts'
import { openFakeClient } from '../../test/support/realtime/fake-socket.ts'
import type { RealtimeClient } from '../../test/support/realtime/realtime-client.ts'
import { waitFor } from '../../test/support/time/wait-for.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const bench = 'modules'
const nothing = (): void => {}

/** The processor time of this process so far, in milliseconds. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs `work`, and returns the processor time of this process for it, in milliseconds. */
const timeOf = (work: () => void): number => {
  const before = processorMs()
  work()
  return processorMs() - before
}

const atMost = (figure: string, value: number, unit: string, max: number, more: Partial<BenchResult> = {}): BenchResult => ({
  bench,
  figure,
  value: round(value),
  unit,
  target: `≤ ${max} ${unit}`,
  met: value <= max,
  ...more,
})

/** A game in memory with manual ticks, and players whose clients ignore all frames. */
const startCrowd = async (specs: Readonly<Record<string, object>>, count: number, store?: Store) => {
  const game: GameWithModules = await startGameWithModules(specs, { ...(store !== undefined && { shared: { store } }) })
  const clients: ReturnType<typeof openFakeClient>[] = []
  for (let index = 0; index < count; index += 1) {
    const token = await game.signIn(await game.addAccount(`player${index}`))
    const client = openFakeClient(game)
    Object.assign(client.socket, { write: nothing })
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'bench', viewRadius: 2 } })
    clients.push(client)
  }
  await waitFor(() => {
    game.tick()
    return [...game.loop.live.listPlayers()].length === count
  })
  let ticks = 0
  return {
    game,
    /** Every player moves, one writes a chat line and one changes a block. Returns the processor time of the tick. */
    step: (): number => {
      ticks += 1
      for (const client of clients)
        client.send({ $case: 'move', value: { seq: ticks, x: 0.5 + (ticks % 2) / 10, y: 64, z: 0.5, yaw: 0, pitch: 0 } })
      const at = { x: ticks % 4, y: 66 + (Math.floor(ticks / 4) % 2), z: 1 + (Math.floor(ticks / 8) % 3) }
      clients[ticks % count]?.send({ $case: 'chat', value: { text: 'hello' } })
      clients[(ticks + 1) % count]?.send({
        $case: 'editBlocks',
        value: { seq: ticks, edits: [{ ...at, type: Math.floor(ticks / 24) % 2 === 0 ? 'stone' : 'air' }] },
      })
      return timeOf(game.tick)
    },
    close: game.close,
  }
}

/** Two games in turn, the same ticks in both: one without modules, and one with eight modules of five handlers each. */
const measureHandlers = async (): Promise<BenchResult> => {
  const players = 200
  const on = { tick: nothing, joined: nothing, left: nothing, said: nothing, edited: nothing }
  const names = Array.from({ length: 8 }, (_, index) => `empty${index}`)
  const bare = await startCrowd({}, players)
  const full = await startCrowd(Object.fromEntries(names.map((name) => [name, { on }])), players)
  const bareMs: number[] = []
  const fullMs: number[] = []
  for (let tick = 0; tick < 2400; tick += 1) {
    const [first, second] = tick % 2 === 0 ? ([bare, full] as const) : ([full, bare] as const)
    const [firstMs, secondMs] = [first.step(), second.step()]
    // The first ticks compile the code.
    if (tick >= 400) {
      bareMs.push(tick % 2 === 0 ? firstMs : secondMs)
      fullMs.push(tick % 2 === 0 ? secondMs : firstMs)
    }
    if (tick % 20 === 0) await pause(0)
  }
  await bare.close()
  await full.close()
  const reference = { name: 'the tick without modules', value: round(median(bareMs)) }
  const figure = `eight modules with five empty handlers each, ${players} players, processor time of a tick`
  return atMost(figure, median(fullMs.map((ms, tick) => ms - (bareMs[tick] ?? 0))), 'ms more', 0.3, { reference })
}

/** The decisions of a tick in which 1,000 players move, under the time limit and without it, in turn. */
const measureTimeLimit = async (): Promise<BenchResult> => {
  const decisions = 1000
  const { game, close } = await startCrowd({ fence: { needs: ['every-move'], decide: { move: nothing } } }, 1)
  const module = game.composedModules?.modules.find('fence')
  if (module === undefined) throw new Error('the module does not run')
  const source = function* (): CallSource {
    for (let at = 0; at < decisions; at += 1) yield { module, label: 'decide.move', mode: 'decide', run: nothing }
  }
  const createBatch = (limit: TimeLimit) => {
    const calls = createModuleCalls({
      limit,
      cutMs: () => 250,
      clock: systemClock,
      failed: nothing,
      watch: { enter: nothing, leave: nothing },
      memory: createMemoryWatch(),
      log: game.log,
    })
    return () => timeOf(() => calls.run(source()))
  }
  const limited = createBatch(createTimeLimit())
  const unlimited = createBatch((work) => {
    work()
    return 'finished'
  })
  const limitedMs: number[] = []
  const unlimitedMs: number[] = []
  for (let tick = 0; tick < 2400; tick += 1) {
    const pair = tick % 2 === 0 ? [limited(), unlimited()] : [unlimited(), limited()].toReversed()
    if (tick < 400) continue
    limitedMs.push(pair[0] ?? 0)
    unlimitedMs.push(pair[1] ?? 0)
  }
  await close()
  const reference = { name: `${decisions} empty decisions without the limit`, value: round(median(unlimitedMs)) }
  const more = limitedMs.map((ms, tick) => ms - (unlimitedMs[tick] ?? 0))
  const figure = `the time limit around ${decisions} decisions of one module, processor time of a tick`
  return atMost(figure, median(more), 'ms more', 0.1, { reference })
}

const echo = `
  declare: { messages: { add: { params: Type.Object({ to: Type.Integer() }), reply: Type.Integer() } } },
  receive: { add: (_player, { to }) => to + 1 },
`

/** A node with real sockets in this process: message round trips at random moments of a tick, then reloads of the module. */
const measureNode = async (): Promise<readonly BenchResult[]> => {
  const players = 20
  const callsOfEach = 30
  const reloads = 20
  /** The delay of each tick, limited to the processor time of this process, so that other work on the machine does not count. */
  let lateMs: number[] = []
  let last = { atMs: performance.now(), processor: processorMs() }
  const observeTick = (): void => {
    const now = { atMs: performance.now(), processor: processorMs() }
    lateMs.push(Math.min(now.atMs - last.atMs - 50, now.processor - last.processor))
    last = now
  }
  const node = await startNodeWithModules({ echo }, { metrics: { ...createRealtimeMetrics(), observeTick } })
  try {
    const clients: RealtimeClient[] = []
    for (let index = 0; index < players; index += 1) clients.push((await node.join(`player${index}`)).client)
    const callOne = (client: RealtimeClient, seq: number): Promise<number> =>
      new Promise((resolve) => {
        const listen = (data: Buffer): void => {
          const { kind } = ServerMessage.decode(data)
          if (kind?.$case !== 'moduleReply' || kind.value.seq !== seq) return
          client.socket.off('message', listen)
          resolve(performance.now() - sentMs)
        }
        client.socket.on('message', listen)
        const sentMs = performance.now()
        client.send({ $case: 'moduleCall', value: { seq, module: 'echo', name: 'add', body: Buffer.from('{"to":1}') } })
      })
    const tripMs: number[] = []
    await Promise.all(
      clients.map(async (client) => {
        for (let seq = 1; seq <= callsOfEach; seq += 1) {
          await pause(randomInt(100, 400))
          tripMs.push(await callOne(client, seq))
        }
      }),
    )
    lateMs = []
    await pause(reloads * 250)
    const quietMs = percentile(lateMs, 1)
    lateMs = []
    const reloadMs: number[] = []
    for (let count = 0; count < reloads; count += 1) {
      await node.write('echo', `${echo} version: '1.0.${count}',`)
      const startedMs = performance.now()
      await node.moduleHost.reload('echo')
      reloadMs.push(performance.now() - startedMs)
      await pause(100)
    }
    const reference = { name: 'without reloads', value: round(quietMs) }
    return [
      atMost(`message round trip, 99th percentile, ${players} players`, percentile(tripMs, 0.99), 'ms', 60, {
        reference: { name: 'median', value: round(median(tripMs)) },
      }),
      atMost(`reload of a module, median of ${reloads}`, median(reloadMs), 'ms', 300, {
        reference: { name: 'slowest', value: round(percentile(reloadMs, 1)) },
      }),
      // A tick is late when the next one is due.
      atMost('largest delay of a tick during reloads, at most its processor time', percentile(lateMs, 1), 'ms', 50, {
        reference,
      }),
    ]
  } finally {
    await node.close()
  }
}

/** The flush of a hand-over, with data of 1,000 players that a module has just changed. */
const measureFlush = async (): Promise<BenchResult> => {
  const players = 1000
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-bench-data-'))
  const store = createLmdbStore({ path, ids: systemIds })
  const player = { schema: Type.Object({ coins: Type.Integer({ default: 0 }) }) }
  /** Changes the data of all players in the next tick. */
  const pay = { isDue: false }
  type Paid = { readonly players: { all(): Iterable<{ readonly data: { coins: number } }> } }
  const tick = (_event: unknown, game: Paid): void => {
    if (pay.isDue) for (const one of game.players.all()) one.data.coins += 1
    pay.isDue = false
  }
  try {
    const { game, close } = await startCrowd({ shop: { declare: { player }, on: { tick } } }, players, store)
    const flushMs: number[] = []
    for (let count = 0; count < 5; count += 1) {
      pay.isDue = true
      game.tick()
      const startedMs = performance.now()
      const written = (await game.composedModules?.flush()) ?? 0
      flushMs.push(performance.now() - startedMs)
      if (written < players - 50) throw new Error(`the flush wrote ${written} of ${players} values`)
    }
    await close()
    const figure = `${players} changed values of players written at a hand-over, LMDB, slowest of ${flushMs.length}`
    return atMost(figure, percentile(flushMs, 1), 'ms', 2000, { reference: { name: 'median', value: round(median(flushMs)) } })
  } finally {
    await store.close()
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * Benchmarks what modules cost: their handlers, the time limit around them, their messages, reloads and stored data. It cannot show
 * the code of real modules: handlers here are empty.
 */
export const modules: Bench = {
  name: bench,
  run: async () => [await measureHandlers(), await measureTimeLimit(), ...(await measureNode()), await measureFlush()],
}
