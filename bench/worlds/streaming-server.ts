import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { composeGame } from '../../realtime/node/compose-game.ts'
import { createPresenceKeeper } from '../../realtime/node/presence-keeper.ts'
import { openTakenWorld } from '../../realtime/world/open-world.ts'
import { takeWorld } from '../../realtime/world/take-world.ts'
import { openGameZones } from '../../realtime/zones/open-game-zones.ts'
import { createClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { readTenure } from '../../shared/platform/process/lease-holder.ts'
import { openServices } from '../../shared/services/services.ts'

/**
 * The real-time node, composed by `realtime/node/compose-game.ts`, which reports figures of its world. Arguments: a data folder,
 * and the number of players.
 */
const [dataDir = '', players = '0'] = process.argv.slice(2)
const environment = parseEnvironment({ DATA_DIR: dataDir }, 'all')
const log = createLog('warn', 'bench')
const services = await openServices(environment, log)
const world = await openTakenWorld(services, await takeWorld(services, await readTenure(environment)))
const gameZones = await openGameZones({ ...services, worldName: world.record.name })
let ticks: number[] = []
const metrics = {
  ...createRealtimeMetrics(),
  observeTick: (seconds: number) => {
    ticks.push(seconds * 1000)
  },
}
const nodeId = services.ids.uuid()
const { server } = composeGame(services, {
  nodeId,
  clients: createClientAddresses({ trustedProxies: () => 0 }),
  serverVersion: 'bench',
  metrics,
  baseUrl: '',
  presenceKeeper: createPresenceKeeper({ node: services.presence.openNode(nodeId), facts: () => undefined, log }),
  world,
  sessions: services.sessions.openWorld(world.record.id, world.lease.fence),
  gameZones,
  takeTiles: world.storedTiles.take,
})

const usedBytes = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The memory of a thousand more columns once they are saved, in MiB. */
const measureColumns = async (): Promise<number> => {
  const before = usedBytes()
  const holder = { distanceTo: () => 0 }
  const positions = Array.from({ length: 1000 }, (_, at) => ({ cx: 500 + (at % 32), cz: 500 + Math.floor(at / 32) }))
  await Promise.all(positions.map((pos) => world.loaded.load(pos, holder)))
  await world.writer.settle()
  const taken = usedBytes() - before
  for (const pos of positions) world.loaded.letGo(pos, holder)
  return taken / 2 ** 20
}

const answer = async (message: unknown): Promise<void> => {
  if (message === 'stats') process.send?.({ stats: { ...world.streaming.stats(), ...world.loaded.stats() } })
  if (message === 'ticks') {
    process.send?.({ slowestTickMs: Math.max(0, ...ticks) })
    ticks = []
  }
  if (message === 'columns') process.send?.({ columnsMiB: await measureColumns() })
  if (message !== 'close') return
  await server.close({ graceMs: 100 })
  await world.close()
  await services.close()
  process.exit(0)
}

const fail = (error: unknown): void => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
}

process.on('message', (message) => {
  answer(message).catch(fail)
})
process.on('disconnect', () => process.exit(0))

const signIn = async (index: number): Promise<string> => {
  const { playerId } = await services.accounts.signUp(`player${index}-${Date.now()}@example.com`, 'bench')
  return services.tokens.issue({ playerId, verified: false, signInId: services.ids.uuid(), signedInAt: Date.now() })
}

const tokens = await Promise.all(Array.from({ length: Number(players) }, (_, index) => signIn(index)))
const port = await server.listen(0, '127.0.0.1')
server.start()
process.send?.({ ready: port, tokens })
