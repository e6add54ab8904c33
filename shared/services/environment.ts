import { isIP } from 'node:net'
import { join } from 'node:path'
import { AppError, type Fault } from '../kernel/errors.ts'
import { type LogLevel, logLevels } from '../kernel/log.ts'
import { type DynamoTarget, defaultTablePrefix, isStandIn, standInRegion } from '../storage/dynamodb/dynamodb-target.ts'
import { parseRedisUrl } from '../storage/redis/redis-url.ts'

/** Which part of Gatehouse this process is: everything in one, the HTTP half, the real-time half, or a task of the command line. */
export type ProcessRole = 'all' | 'http' | 'realtime' | 'task'

/** The environment, read and checked once at start. */
export type Environment = {
  readonly role: ProcessRole
  readonly host: string
  readonly port: number
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly dataDir: string
  /** Where backups of the data folder go. */
  readonly backupDir: string
  /** The first of `worldNames`. */
  readonly worldName: string
  /** The worlds that this process may run, at least one: it takes the first that nobody runs. */
  readonly worldNames: readonly [string, ...string[]]
  /** Where all of them are held: wait for one to become free instead of refusing to start. */
  readonly worldStandby: boolean
  /** Where clients reach this node, without a slash at the end; undefined: where it really listens. */
  readonly nodeUrl: string | undefined
  /** Where other processes of Gatehouse reach this node, likewise. */
  readonly nodeInternalUrl: string | undefined
  /** How long a node that is told to stop may take to hand its players over, in milliseconds. */
  readonly drainLimitMs: number
  /** Where everything is kept with `STORAGE=dynamodb`; undefined: in `dataDir`. */
  readonly dynamodb: DynamoTarget | undefined
  readonly redisUrl: string | undefined
  /** Where upgrades of players and feeds go, of `http` only; undefined: to the node that runs the world, by the registry. */
  readonly realtimeUrl: string | undefined
  readonly logLevel: LogLevel
  /** Absent: no metrics listener. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** Where the sidecar of Agones listens on this machine, which sets it; absent: there is none. */
  readonly agonesPort: number | undefined
  /** Where traces go (OTLP over HTTP); undefined: nothing is traced. */
  readonly tracesEndpoint: string | undefined
  /** How often a real-time node writes to the log how full it is, in seconds; absent: never. */
  readonly loadLogSeconds: number | undefined
  readonly allowPasswordless: boolean
  /** How long a stopping process still answers, not ready, so that a balancer notices, in milliseconds. */
  readonly shutdownDelayMs: number
  /** Any other variable, by a name that a config gives: the one way to a secret that a config only names. */
  readonly readSecret: (name: string) => string | undefined
}

export type RawEnvironment = Readonly<Record<string, string | undefined>>

const defaultPorts: Record<ProcessRole, number> = {
  all: 3000,
  http: 3000,
  realtime: 3001,
  task: 3000,
}

/** Never repeats the text: it may hold a password. */
const urlProblem = (text: string, schemes: readonly string[]): string | undefined => {
  const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ')
  if (!URL.canParse(text)) return `is not a URL: it must begin with ${beginnings}`
  const { protocol, username, password, search, hash } = new URL(text)
  if (!schemes.includes(protocol.slice(0, -1))) return `must begin with ${beginnings}`
  if (!schemes.includes('http')) return undefined
  if (username || password) return 'must not hold a user name or password'
  if (search || hash) return 'must not hold a query or fragment'
  return undefined
}

/** Reads every variable of `docs/operations.md`, or throws AppError `invalid` that names each fault and its fix. */
export const parseEnvironment = (raw: RawEnvironment, role: ProcessRole): Environment => {
  const faults: Fault[] = []
  const fault = (name: string, message: string) => faults.push({ pointer: name, message })
  const read = (name: string): string | undefined => (raw[name] === undefined || raw[name] === '' ? undefined : raw[name])
  const readPort = <D extends number | undefined>(name: string, absent: D): number | D => {
    const text = read(name)
    if (text === undefined) return absent
    const port = Number(text)
    if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
    fault(name, `"${text}" is not a port: use a number in 0…65535`)
    return absent
  }
  const readMilliseconds = (name: string, absent: number): number => {
    const text = read(name)
    if (text === undefined) return absent
    if (/^\d{1,6}$/.test(text)) return Number(text)
    fault(name, `"${text}" is not a whole number of milliseconds in 0…999999`)
    return absent
  }
  const readLoadLogSeconds = (): number | undefined => {
    const text = read('LOAD_LOG_SECONDS')
    if (text === undefined) return undefined
    if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3600) return Number(text)
    fault('LOAD_LOG_SECONDS', `"${text}" is not a whole number of seconds in 1…3600`)
    return undefined
  }
  const readUrl = (name: string, schemes: readonly string[]): string | undefined => {
    const text = read(name)
    const problem = text === undefined ? undefined : urlProblem(text, schemes)
    if (problem !== undefined) fault(name, problem)
    return problem === undefined ? text?.replace(/\/+$/, '') : undefined
  }
  const readChoice = <T extends string>(name: string, choices: readonly T[], absent: T): T => {
    const text = read(name)
    const choice = choices.find((candidate) => candidate === text)
    if (text !== undefined && choice === undefined) fault(name, `"${text}" is not one of ${choices.join(', ')}`)
    return choice ?? absent
  }

  const readHost = (name: string): string => {
    const host = read(name) ?? '127.0.0.1'
    if (isIP(host) === 0 && !/^[A-Za-z0-9.-]{1,253}$/.test(host)) fault(name, `"${host}" is neither an address nor a host name`)
    return host
  }

  const host = readHost('HOST')
  const port = readPort('PORT', defaultPorts[role])
  const readWorldNames = (): readonly [string, ...string[]] => {
    const [first = '', ...others] = (read('GAME_WORLD_NAME') ?? 'default').split(',').map((name) => name.trim())
    const names = [first, ...others] as const
    if (!names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)))
      fault('GAME_WORLD_NAME', 'use 1 to 64 letters, digits, _ or -, or several such names with commas between them')
    else if (new Set(names).size < names.length) fault('GAME_WORLD_NAME', 'names a world twice')
    return names
  }
  const worldNames = readWorldNames()
  const readDynamoTarget = (): DynamoTarget | undefined => {
    if (readChoice('STORAGE', ['embedded', 'dynamodb'], 'embedded') === 'embedded') return undefined
    const endpoint = readUrl('DYNAMODB_ENDPOINT', ['http', 'https'])
    const tablePrefix = read('DYNAMODB_TABLE_PREFIX') ?? defaultTablePrefix
    if (!/^[A-Za-z0-9_.-]{1,200}$/.test(tablePrefix))
      fault('DYNAMODB_TABLE_PREFIX', 'use 1 to 200 letters, digits, dots, dashes or underscores')
    const region = read('AWS_REGION')
    if (region === undefined && !isStandIn(endpoint))
      fault('AWS_REGION', 'is needed with STORAGE=dynamodb: set it to the region of the tables, like eu-central-1')
    else if (region !== undefined && !/^[a-z0-9-]{1,40}$/.test(region)) fault('AWS_REGION', `"${region}" is not a region`)
    return { endpoint, region: region ?? standInRegion, tablePrefix }
  }
  const readRedisUrl = (): string | undefined => {
    const text = read('REDIS_URL')
    try {
      if (text !== undefined) parseRedisUrl(text)
      return text
    } catch (error) {
      fault('REDIS_URL', error instanceof AppError ? error.publicDetail : 'cannot be read')
      return undefined
    }
  }
  const redisUrl = readRedisUrl()
  if (
    redisUrl === undefined &&
    (role === 'http' || role === 'realtime') &&
    !faults.some(({ pointer }) => pointer === 'REDIS_URL')
  )
    fault(
      'REDIS_URL',
      'is needed as soon as more than one process runs: set it to your Redis (redis://127.0.0.1:6379), or run everything in one with npm start',
    )
  const baseUrl = readUrl('BASE_URL', ['http', 'https'])
  const readTracesEndpoint = (): string | undefined => {
    const endpoint = readUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])
    return read('OTEL_SDK_DISABLED') === 'true' ? undefined : endpoint
  }
  const realtimeUrl = readUrl('REALTIME_URL', ['http', 'https', 'ws', 'wss'])
  const environment: Environment = {
    role,
    host,
    port,
    baseUrl: baseUrl ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    dataDir: read('DATA_DIR') ?? './data',
    backupDir: read('BACKUP_DIR') ?? join(read('DATA_DIR') ?? './data', 'backups'),
    worldName: worldNames[0],
    worldNames,
    worldStandby: readChoice('WORLD_STANDBY', ['true', 'false'], 'false') === 'true',
    nodeUrl: readUrl('NODE_URL', ['http', 'https']) ?? baseUrl,
    nodeInternalUrl: readUrl('NODE_INTERNAL_URL', ['http', 'https']),
    drainLimitMs: readMilliseconds('DRAIN_LIMIT_MS', 10_000),
    dynamodb: readDynamoTarget(),
    redisUrl,
    realtimeUrl: role === 'http' ? realtimeUrl : undefined,
    logLevel: readChoice('LOG_LEVEL', logLevels, 'info'),
    metricsPort: readPort('METRICS_PORT', undefined),
    metricsHost: readHost('METRICS_HOST'),
    agonesPort: readPort('AGONES_SDK_HTTP_PORT', undefined),
    tracesEndpoint: readTracesEndpoint(),
    loadLogSeconds: readLoadLogSeconds(),
    allowPasswordless: readChoice('ALLOW_PASSWORDLESS', ['true', 'false'], 'false') === 'true',
    shutdownDelayMs: readMilliseconds('SHUTDOWN_DELAY_MS', 500),
    readSecret: read,
  }
  if (faults.length > 0) {
    const list = faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
    throw new AppError('invalid', 'bad-request', `The environment is not valid.\n${list}`, { errors: faults })
  }
  return environment
}
