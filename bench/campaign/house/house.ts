import { ask } from '../../../test/e2e/support/api.ts'
import type { Child } from '../../../test/e2e/support/child.ts'
import { createDynamoPlace } from '../../../test/e2e/support/dynamo-place.ts'
import { administrator, createStage, type Server } from '../../../test/e2e/support/stage.ts'
import { findDynamoLauncher } from '../../../test/support/dynamodb/dynamodb-launcher.ts'
import { findFreePort } from '../../../test/support/processes/free-port.ts'
import { startRedis } from '../../../test/support/redis/redis-server.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import type { StoreKind } from '../store-kinds.ts'

/** A part of the server under test: the single process, one of its halves, or Redis. */
export type Part = 'all' | 'http' | 'realtime' | 'redis'

/** A server on one kind of store, with parts that can be started, killed and restarted. Listens on loopback only. */
export type House = {
  readonly store: StoreKind
  /** The folder of the YAML files; undefined if they are in the store. */
  readonly configFolder: string | undefined
  readonly dataDir: string
  /** The environment variables of the processes. */
  readonly variables: Readonly<Record<string, string>>
  readonly parts: readonly Part[]
  readonly stage: ReturnType<typeof createStage>
  /** Starts stopped parts; resolves with the milliseconds until all are ready. */
  start(): Promise<number>
  /** Sends SIGKILL to all of them at once. */
  kill(parts: readonly Part[]): Promise<void>
  /** The address for all clients, players included: the HTTP half passes them on. */
  url(): string
  isRunning(): boolean
  /** Each running process, with its metrics port. */
  processes(): readonly { readonly part: Part; readonly server: Server; readonly metricsPort: number }[]
  /** A verified token of the administrator; replaced if it is old or `anew` is true. */
  bossToken(anew?: boolean): Promise<string>
  close(): Promise<void>
}

const scripts = { all: 'infra/local.ts', http: 'infra/http.ts', realtime: 'realtime/main.ts' } as const
type ServerPart = keyof typeof scripts

const readyLine = /^Gatehouse is ready at (\S+)/m
const startMsMax = 90_000
const startsMax = 5
const tokenMs = 5 * 60_000

/** Quick hashes, and high request limits, because all requests of a campaign come from one address. */
export const campaignConfig = `auth: { local: { bcryptCost: 10 } }
http: { rateLimits: { signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
`

const openDynamo = async (): Promise<{ endpoint: string; kill: () => Promise<void> }> => {
  const endpoint = process.env.DYNAMODB_ENDPOINT || process.env.GATEHOUSE_TESTS_DYNAMODB
  if (endpoint) return { endpoint, kill: async () => undefined }
  const launched = await (await findDynamoLauncher())?.launch()
  if (launched === undefined) throw new Error('--store dynamodb needs Docker, or Java on x64, or DYNAMODB_ENDPOINT')
  return launched
}

const isReady = (child: Child): Promise<boolean> =>
  child.shows(readyLine, startMsMax).then(
    () => true,
    () => false,
  )

/** Prepares a server on `store`, with only groups, level ground and `serverConfig`. Only Redis or DynamoDB is started. */
export const openHouse = async (store: StoreKind, serverConfig = campaignConfig): Promise<House> => {
  const stage = createStage()
  const redis = store === 'redis' ? await startRedis() : undefined
  const dynamo = store === 'dynamodb' ? await openDynamo() : undefined
  const close = async (): Promise<void> => {
    await stage.close()
    await redis?.stop()
    await dynamo?.kill()
  }
  const createPlace = async (endpoint: string): Promise<Record<string, string>> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await createDynamoPlace(stage, endpoint, serverConfig)
      } catch (error) {
        // Just after its start, on a busy machine, its first answer is slower than a client's timeout.
        if (attempt < startsMax) continue
        await close()
        throw error
      }
  }
  const dataDir = await stage.createDataDir(serverConfig)
  const serverParts: readonly ServerPart[] = store === 'redis' ? ['realtime', 'http'] : ['all']
  const ports = new Map<string, number>()
  for (const part of serverParts) {
    ports.set(part, await findFreePort())
    ports.set(`${part} metrics`, await findFreePort())
  }
  const variables = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(redis && { REDIS_URL: redis.url, REALTIME_URL: `http://127.0.0.1:${ports.get('realtime')}` }),
    ...(dynamo && (await createPlace(dynamo.endpoint))),
  }
  const servers = new Map<ServerPart, Server>()
  let redisIsUp = true
  let token: { readonly value: string; readonly atMs: number } | undefined

  const startPart = async (part: ServerPart): Promise<void> => {
    const { REALTIME_URL, ...common } = { REALTIME_URL: '', ...variables }
    const own = { PORT: String(ports.get(part)), METRICS_PORT: String(ports.get(`${part} metrics`)) }
    const variablesOfPart = { ...common, ...own, ...(part === 'http' && { REALTIME_URL }) }
    let child = stage.launch(scripts[part], [], variablesOfPart)
    for (let attempt = 1; !(await isReady(child)); attempt += 1) {
      // A starved DynamoDB Local answers late: a start that fails for this reason is repeated, as by a supervisor.
      if (attempt === startsMax || !child.stderr().includes('does not answer; try again')) await child.shows(readyLine)
      child = stage.launch(scripts[part], [], variablesOfPart)
    }
    servers.set(part, { ...child, url: readyLine.exec(child.stdout())?.[1] ?? '' })
  }
  const front = (): Server => {
    const server = servers.get(store === 'redis' ? 'http' : 'all')
    if (server === undefined) throw new Error('the server was not started')
    return server
  }
  let hasClaimed = false
  const signInAsBoss = async (): Promise<string> => {
    if (hasClaimed) return stage.signIn(front().url, administrator.email, administrator.password)
    const claimed = await stage.claim(front())
    hasClaimed = true
    return claimed
  }

  return {
    store,
    configFolder: store === 'dynamodb' ? undefined : `${dataDir}/config`,
    dataDir,
    variables,
    parts: store === 'redis' ? ['http', 'realtime', 'redis'] : ['all'],
    stage,
    start: async () => {
      const beganMs = performance.now()
      if (!redisIsUp) await redis?.restart()
      redisIsUp = true
      await Promise.all(serverParts.filter((part) => servers.get(part)?.isRunning() !== true).map(startPart))
      return performance.now() - beganMs
    },
    kill: async (parts) => {
      const chosen = serverParts.filter((part) => parts.includes(part)).flatMap((part) => servers.get(part) ?? [])
      for (const server of chosen) server.signal('SIGKILL')
      if (parts.includes('redis')) {
        redisIsUp = false
        await redis?.kill()
      }
      await Promise.all(chosen.map(({ ended }) => ended))
      token = undefined
    },
    url: () => front().url,
    isRunning: () => serverParts.every((part) => servers.get(part)?.isRunning() === true),
    processes: () =>
      serverParts.flatMap((part) => {
        const server = servers.get(part)
        return server === undefined ? [] : [{ part, server, metricsPort: ports.get(`${part} metrics`) ?? 0 }]
      }),
    bossToken: async (anew = false) => {
      if (!anew && token !== undefined && performance.now() - token.atMs < tokenMs) return token.value
      token = { value: await signInAsBoss(), atMs: performance.now() }
      return token.value
    },
    close,
  }
}

/** Resolves with the milliseconds until `/readyz` of every process is ready, or undefined after `withinMs`. */
export const untilReady = async (house: House, withinMs: number): Promise<number | undefined> => {
  const beganMs = performance.now()
  const answersReady = async (url: string): Promise<boolean> =>
    ask(url, 'GET /readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  const areReady = async (): Promise<boolean> =>
    (await Promise.all(house.processes().map(({ server }) => answersReady(server.url)))).every(Boolean)
  return waitFor(areReady, withinMs).then(
    () => performance.now() - beganMs,
    () => undefined,
  )
}
