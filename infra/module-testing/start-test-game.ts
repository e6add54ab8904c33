import { performance } from 'node:perf_hooks'
import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { createPresenceKeeper } from '../../realtime/node/presence-keeper.ts'
import { startGame } from '../../realtime/node/running-game.ts'
import { createNodeWorld } from '../../realtime/world/node-world.ts'
import type { OpenWorld } from '../../realtime/world/open-world.ts'
import type { Account } from '../../shared/domain/accounts/account.ts'
import { createClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { openHistoryBook } from '../../shared/domain/history/history-book.ts'
import { isOver } from '../../shared/domain/jobs/job.ts'
import { snapshotJob } from '../../shared/domain/jobs/snapshot-jobs.ts'
import type { Module } from '../../shared/domain/modules/api.ts'
import type { ModuleSources } from '../../shared/domain/modules/module-source.ts'
import { createNodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compress-chunk.ts'
import { defaultBlocks } from '../../shared/domain/worlds/default-blocks.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { NewZone } from '../../shared/domain/zones/zone-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { findNearName } from '../../shared/kernel/find-near-name.ts'
import { version } from '../../shared/kernel/version.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'
import { chunkCoordinate, worldHeight } from '../../shared/rules/positions.ts'
import { createMemoryConfigs } from './memory-configs.ts'
import type { TestGame, TestGameOptions, TestZone } from './test-game.ts'
import { createTestLog, describeUnseen, findPlace } from './test-log.ts'
import { type ConnectedPlayer, createTestPlayer } from './test-player.ts'
import { createTestStore, type TestServices, wireTestServices } from './test-services.ts'

export type * from './test-game.ts'

/** The generated land around the spawn: 17 × 17 chunks. */
const radiusChunks = 8
const tickMs = 50
/** Ticks without a pause while an answer is missing. Later ones leave time for work outside of the process. */
const quickTicks = 200
const answerLimitMs = 10_000

const buildGroup = { name: 'player', permissions: ['world.build', 'zone.build'] }

const flatLand = {
  generator: 'flat-1',
  flat: {
    layers: [
      { block: 'stone', height: 63 },
      { block: 'grass', height: 1 },
    ],
  },
}

/** A clock that only `advance` moves. Within a tick, `monotonic` also counts the real time since its start, so that costs show. */
const createTestClock = (startMs: number) => {
  let elapsedMs = 0
  let realMs: number | undefined
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs + (realMs === undefined ? 0 : performance.now() - realMs),
    advance: () => {
      elapsedMs += tickMs
    },
    measure: (run: () => void): void => {
      realMs = performance.now()
      try {
        run()
      } finally {
        realMs = undefined
      }
    },
  } satisfies Clock & { advance(): void; measure(run: () => void): void }
}

/** Modules that are values, not files. */
const createModuleValues = (first: readonly Module[]) => {
  let modules = first
  const sources: ModuleSources = {
    openProfile: async (name) => {
      throw new Error(`The test kit writes no profile of ${name}. Use /module profile on a server.`)
    },
    list: async () => modules.map(({ name }) => name).sort(),
    load: async (name) => ({
      version: undefined,
      findPlace,
      evaluate: () => modules.find((module) => module.name === name),
    }),
  }
  return {
    sources,
    replace: (next: readonly Module[]) => {
      modules = next
    },
    /** The module that declares a message. */
    findModule: (message: string): string => {
      const declaring = modules.filter((module) => 'declare' in module && isDeclared(module.declare, message))
      const [module] = declaring
      if (module === undefined || declaring.length > 1)
        throw new Error(`${declaring.length === 0 ? 'No module declares' : 'Several modules declare'} the message ${message}.`)
      return module.name
    },
  }
}

const isDeclared = (declare: unknown, message: string): boolean =>
  typeof declare === 'object' &&
  declare !== null &&
  'messages' in declare &&
  typeof declare.messages === 'object' &&
  declare.messages !== null &&
  Object.hasOwn(declare.messages, message)

/** All chunks that the zone touches, in all heights. */
const toNewZone = ({ name, from, to }: TestZone): NewZone => {
  const [minCx, maxCx] = [from.x, to.x].map(chunkCoordinate).toSorted((a, b) => a - b)
  const [minCz, maxCz] = [from.z, to.z].map(chunkCoordinate).toSorted((a, b) => a - b)
  const chunks = []
  for (let cx = minCx ?? 0; cx <= (maxCx ?? 0); cx += 1)
    for (let cz = minCz ?? 0; cz <= (maxCz ?? 0); cz += 1) chunks.push({ cx, cz })
  return { name, yMin: 0, yMax: worldHeight - 1, chunks }
}

/** Stores the land around the spawn, so that zones can be created on it. */
const storeLand = async ({ chunks, configs }: TestServices, record: WorldRecord): Promise<void> => {
  const registry = registryOf(configs.get('blocks.yaml'))
  const { seed, generator, settings } = record
  const terrain = createGenerator({ version: generator, seed, settings, registry })
  for (let cx = -radiusChunks; cx <= radiusChunks; cx += 1) {
    const row = []
    for (let cz = -radiusChunks; cz <= radiusChunks; cz += 1)
      row.push({ cx, cz, bytes: encodeChunk(terrain.generate(cx, cz), registry) })
    await chunks.putMany(record, row, 1)
  }
}

const openTestWorld = async (services: TestServices, record: WorldRecord, fence: number): Promise<OpenWorld> => {
  const { chunks, store, configs, clock, log } = services
  const blocks = configs.get('blocks.yaml')
  const registry = registryOf(blocks)
  const { seed, generator, settings } = record
  const terrain = createGenerator({ version: generator, seed, settings, registry })
  await chunks.putMany(record, [], fence)
  const history = await openHistoryBook({ chunks, world: record, limits: () => configs.get('server.yaml').history, clock })
  const lease = { fence, isHeld: () => true, isLost: () => false, concede: () => {}, sinceRenewalMs: () => 0 }
  const generation = {
    generate: async ({ cx, cz }: { cx: number; cz: number }) => encodeChunk(terrain.generate(cx, cz), registry),
  }
  const world = createNodeWorld({ record, blocks, chunks, store, history, generation, lease, clock, log })
  return { ...world, lease, onLost: () => {} }
}

/** Sets the time zone of the process, so that a test has the same result on each machine. Throws if there is no such zone. */
const setTimeZone = (timeZone: string): void => {
  // Node takes an unknown zone for UTC.
  new Intl.DateTimeFormat('en', { timeZone })
  process.env.TZ = timeZone
}

/** Starts the real game loop on stores in memory, with these modules. */
export const startTestGame = async <const M extends Module>(options: TestGameOptions<M>): Promise<TestGame<M>> => {
  const { modules, settings = {}, seed = 1, world = {}, startMs = Date.parse('2026-01-01T00:00:00.000Z') } = options
  const names = modules.map(({ name }) => name)
  for (const name of Object.keys(settings))
    if (!names.includes(name)) {
      const nearest = findNearName(name, names)
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
      throw new Error(`settings has "${name}", which is not in modules.${hint}`)
    }
  setTimeZone(options.timeZone ?? 'UTC')
  const clock = createTestClock(startMs)
  const { log, lines } = createTestLog()
  const { store, state: storeState } = createTestStore(createMemoryStore())
  const groups: { name: string; permissions: readonly string[] }[] = [buildGroup]
  const configs = createMemoryConfigs({
    'blocks.yaml': { blocks: defaultBlocks },
    'groups.yaml': { groups, defaultGroups: ['player'] },
    'worldgen.yaml': flatLand,
    'modules.yaml': {
      modules: Object.fromEntries(Object.entries(settings).map(([name, values]) => [name, { settings: values }])),
    },
  })
  const services = wireTestServices(options, clock, log, store, configs)
  const { ids, worlds, zones, jobs, snapshots, tokens, accountStore } = services
  await services.activeSanctions.start()
  const record = await worlds.createWorld({ name: world.name ?? 'default', seed: 7, spawn: { x: 0.5, z: 0.5 } })
  await storeLand(services, record)
  const actor = { email: 'operator', playerId: 'operator', via: 'cli', requestId: ids.uuid() } as const
  const operator = {
    ...actor,
    displayName: 'operator',
    verified: true,
    rules: services.permissions.rulesOf({ groups: ['admin'] }),
  }
  for (const zone of world.zones ?? []) await zones.createZone(operator, toNewZone(zone))
  const values = createModuleValues(modules)
  const nodes = createNodeDirectory(services)
  const clients = createClientAddresses({ trustedProxies: () => 0 })
  const realtime = () => configs.get('server.yaml').realtime
  let fence = 0

  const startNode = async () => {
    fence += 1
    const nodeId = ids.uuid()
    const presenceKeeper = createPresenceKeeper({ node: services.presence.openNode(nodeId), facts: () => undefined, log })
    const opened = await openTestWorld(services, record, fence)
    const game = await startGame(services, opened, {
      nodeId,
      nodes,
      clients,
      serverVersion: version,
      metrics: createRealtimeMetrics(),
      baseUrl: 'http://127.0.0.1:3000',
      presenceKeeper,
      moduleSources: values.sources,
      moduleSeed: seed,
      isStepped: true,
    })
    return { game, world: opened, presenceKeeper }
  }
  let node = await startNode()
  const players = new Set<ConnectedPlayer>()

  const step = async (): Promise<void> => {
    clock.advance()
    clock.measure(() => node.game.loop.tick(clock.monotonic()))
    await pause()
  }
  const until = async (isDone: () => boolean, what: string): Promise<void> => {
    const startedMs = performance.now()
    for (let ticks = 0; !isDone(); ticks += 1) {
      if (performance.now() - startedMs > answerLimitMs) throw new Error(`The test game waited 10 s in vain for ${what}.`)
      if (ticks > quickTicks) await wait(1)
      await step()
    }
  }
  /** Runs ticks while work is under way that needs them. */
  const during = async <T>(work: Promise<T>, what: string): Promise<T> => {
    let isDone = false
    const end = (): void => {
      isDone = true
    }
    work.then(end, end)
    await until(() => isDone, what)
    return work
  }
  const letGo = async (reason: 'hand-over' | 'shutdown'): Promise<void> => {
    await during(node.game.letGo(answerLimitMs, Promise.resolve(reason)), 'the end of the node')
    await node.presenceKeeper.close()
  }
  /** Starts the next node. Players who were connected connect again. */
  const startNext = async (): Promise<void> => {
    node = await startNode()
    for (const connected of players) if (connected.isIn()) await connected.reconnect()
    await step()
  }
  const requireHost = () => {
    const { moduleHost } = node.game
    if (moduleHost === undefined) throw new Error('The test game has no modules.')
    return moduleHost
  }
  /** Throws the fault of a module that does not load. */
  const refuseFaulty = (): void => {
    for (const { name, state, fault } of requireHost().list())
      if (state === 'failed') throw new Error(`The module ${name} does not load. ${fault?.message ?? ''}`)
  }

  const createAccount = async (name: string, permissions: readonly string[]): Promise<Account> => {
    const group = { name: `player-${groups.length}`, permissions }
    if (permissions.length > 0) {
      groups.push(group)
      configs.set('groups.yaml', { groups, defaultGroups: ['player'] })
    }
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@example.com`
    const known = await accountStore.findByEmail(email)
    if (known !== undefined) return known
    const account: Account = {
      email,
      playerId: ids.uuid(),
      displayName: name,
      groups: ['player', ...(permissions.length > 0 ? [group.name] : [])],
      createdAt: new Date(clock.now()).toISOString(),
    }
    return accountStore.change(email, () => ({ next: account, result: account }))
  }

  /** The number of log lines that the test has seen. */
  let seen = 0
  const stop = async (): Promise<void> => {
    storeState.fails = false
    await letGo('shutdown')
    await services.close()
    const faults = lines.slice(seen).flatMap((line) => describeUnseen(line) ?? [])
    if (faults.length > 0) throw new Error(`Handlers of modules have failed. ${faults.join('; ')}`)
  }
  /** Signs a player in, before they join. It works while the store fails. */
  const signIn = async (name: string, permissions: readonly string[]) => {
    const { fails } = storeState
    storeState.fails = false
    try {
      const { playerId } = await createAccount(name, permissions)
      const token = await tokens.issue({ playerId, verified: true, signInId: ids.uuid(), signedInAt: clock.now() })
      return { playerId, token }
    } finally {
      storeState.fails = fails
    }
  }
  try {
    refuseFaulty()
  } catch (error) {
    await stop()
    throw error
  }
  await step()
  const game: TestGame = {
    join: async (name, { permissions = [], at } = {}) => {
      const { playerId, token } = await signIn(name, permissions)
      const { findModule } = values
      const connected = createTestPlayer({
        name,
        token,
        until,
        findModule,
        node: () => ({ loop: node.game.loop, settings: realtime, clock }),
      })
      players.add(connected)
      await connected.connect()
      if (at !== undefined && connected.isIn()) node.game.live.teleport(playerId, { ...connected.player.place, ...at })
      // One tick for `on.joined`, and one for what it sends.
      await step()
      await step()
      return connected.player
    },
    tick: async (count = 1) => {
      for (let ticks = 0; ticks < count; ticks += 1) await step()
    },
    blockAt: ({ x, y, z }) => {
      const { loaded, registry } = node.world
      const index = loaded.blockAt(x, y, z)
      return index === undefined ? undefined : registry.idOf(index)
    },
    cost: (name) =>
      requireHost()
        .list()
        .find((state) => state.name === name)?.msPerTick ?? 0,
    states: () => {
      seen = lines.length
      return requireHost()
        .list()
        .map(({ name, state, faults, fault }) => ({ name, state, faults, fault: fault?.message }))
    },
    snapshot: async (name) => {
      const listed = await zones.listZones()
      const zone = listed.find((found) => found.zone.name === name)?.zone
      if (zone === undefined) throw new Error(`There is no zone ${name}.`)
      const { id } = await jobs.start(actor, snapshotJob({ world: record, zone }, name))
      const isTaken = async (): Promise<void> => {
        while (!isOver(await jobs.getJob(id))) await pause()
      }
      await during(isTaken(), `the snapshot of ${name}`)
      return (await snapshots.get(zone.id, id)).id
    },
    reload: async (next, options = {}) => {
      values.replace(next)
      await during(requireHost().reload(undefined, options), 'the reload')
      await step()
    },
    handOver: async () => {
      await letGo('hand-over')
      await startNext()
    },
    restart: async () => {
      storeState.drops = true
      try {
        await letGo('hand-over')
      } finally {
        storeState.drops = false
      }
      await startNext()
    },
    storeFails: () => {
      storeState.fails = true
      return () => {
        storeState.fails = false
      }
    },
    get log() {
      seen = lines.length
      return lines
    },
    stop,
  }
  return game as unknown as TestGame<M>
}
