import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { createApp } from '../../functions/app.ts'
import { createDeps } from '../../functions/deps.ts'
import { createHttpMetrics } from '../../functions/http/metrics.ts'
import { zoneRoutes } from '../../functions/zones/routes.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { zoneRecords } from '../../shared/domain/zones/zone.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { openServices } from '../../shared/services/services.ts'

/**
 * The zone routes over generated terrain. The same process also pipes `<data folder>/bytes` from disk as the reference.
 * Arguments: a data folder, and the sides of the square zones in columns.
 */
const [dataDir = '', ...sides] = process.argv.slice(2)

const start = async (): Promise<void> => {
  const services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'all'), createLog('warn', 'bench'))

  const world = await services.worlds.ensureActive()

  const generateSquare = async (side: number): Promise<void> => {
    const registry = registryOf(services.configs.get('blocks.yaml'))
    const generator = createGenerator({ version: world.generator, seed: 7, settings: world.settings, registry })
    for (let cx = 0; cx < side; cx += 1) {
      const row = Array.from({ length: side }, (_, cz) => ({ cx, cz, bytes: encodeChunk(generator.generate(cx, cz), registry) }))
      await services.chunks.putMany(world, row, 1)
    }
  }

  const storeZone = async (side: number): Promise<string> => {
    const id = services.ids.uuid()
    const now = new Date().toISOString()
    const plane = { enabled: false, flipped: false, pos: 0 }
    await services.store.put(zoneRecords, id, {
      id,
      name: `${side}`,
      world: 'default',
      yMin: 0,
      yMax: 255,
      enabled: true,
      owner: id,
      shortcutBarPages: [],
      chunks: Array.from({ length: side * side }, (_, n) => ({ cx: Math.floor(n / side), cz: n % side })),
      clipPlanes: { x: plane, y: plane, z: plane },
      createdAt: now,
      updatedAt: now,
    })
    return id
  }

  const signInAdmin = async (): Promise<string> => {
    const account = await services.accounts.signUp(`admin-${services.ids.uuid()}@example.com`, 'bench')
    await services.accountStore.change(account.email, () => ({ next: { ...account, groups: ['admin'] }, result: undefined }))
    const signIn = { playerId: account.playerId, verified: true, signInId: services.ids.uuid(), signedInAt: Date.now() }
    return services.tokens.issue(signIn)
  }

  const listen = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /**
   * The delays of timers of 5 ms, which stand for ticks, in milliseconds. A delay is limited to the processor time of this
   * process, so that other work on the machine does not count.
   */
  const lateMs: number[] = []
  const everyMs = 5
  const processorMs = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const watchDelay = (): void => {
    const due = performance.now() + everyMs
    const before = processorMs()
    setTimeout(() => {
      lateMs.push(Math.min(performance.now() - due, processorMs() - before))
      watchDelay()
    }, everyMs)
  }
  watchDelay()

  /** Resident bytes without pages of files, which the system reclaims when needed. */
  const ownBytes = (): number => {
    const { rss } = process.memoryUsage()
    if (process.platform !== 'linux') return rss
    const mapped = /^RssFile:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return rss - Number(mapped ?? 0) * 1024
  }

  let peakBytes = 0
  const watchMemory = (): void => {
    peakBytes = Math.max(peakBytes, ownBytes())
    setTimeout(watchMemory, 2)
  }

  process.on('message', (message) => {
    if (message === 'delays') process.send?.({ delays: lateMs.splice(0) })
    if (message !== 'memory') return
    const bytes = ownBytes()
    process.send?.({ bytes, peakBytes: Math.max(peakBytes, bytes) })
    if (peakBytes === 0) watchMemory()
    peakBytes = bytes
  })
  process.on('disconnect', () => process.exit(0))

  // A later run on the folder finds them.
  if ((await services.chunks.stats(world)).chunkCount === 0) await generateSquare(Math.max(...sides.map(Number)))
  const zones = await Promise.all(sides.map((side) => storeZone(Number(side))))
  const token = await signInAdmin()
  const api = await listen(createApp(zoneRoutes, createDeps(services, 'http://127.0.0.1', createHttpMetrics())))
  const file = await listen((_req, res) => {
    createReadStream(join(dataDir, 'bytes')).pipe(res)
  })
  process.send?.({ ready: { api, file, token, zones } })
}

export const main = start()
