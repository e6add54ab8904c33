import { isIP } from 'node:net'
import { join } from 'node:path'
import { AppError, type Fault } from '../../kernel/errors.ts'
import type { LogLevel } from '../../kernel/log.ts'
import { type DynamoTarget, isStandIn, standInRegion } from '../storage/dynamodb/dynamodb-target.ts'
import { type Variable, type VariableRow, variables } from './environment-variables.ts'

/** The role of this process: everything in one, the HTTP half, the real-time half, or a command-line task. */
export type ProcessRole = 'all' | 'http' | 'realtime' | 'task'

/** The environment variables, read and checked once at start. */
export type Environment = {
  readonly role: ProcessRole
  readonly host: string
  readonly port: number
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly dataDir: string
  /** A folder with modules, besides `modules` in `dataDir`. */
  readonly modulesFolder: string | undefined
  /** The folder for backups of the data folder. */
  readonly backupDir: string
  /** The file with the default of `server.yaml`; the bundled file if undefined. */
  readonly serverDefaults: string | undefined
  /** The first of `worldNames`. */
  readonly worldName: string
  /** The worlds that this process may run, at least one. It takes the first free one. */
  readonly worldNames: readonly [string, ...string[]]
  /** If all of them are taken: wait for one to become free instead of refusing to start. */
  readonly worldStandby: boolean
  /** The address for clients, without a trailing slash; if undefined, the address that it listens on. */
  readonly nodeUrl: string | undefined
  /** The address for other Gatehouse processes, likewise. */
  readonly nodeInternalUrl: string | undefined
  /** The time that a stopping node has to hand over its players, in milliseconds. */
  readonly drainLimitMs: number
  /** The tables of `STORAGE=dynamodb`; if undefined, data is in `dataDir`. */
  readonly dynamodb: DynamoTarget | undefined
  readonly redisUrl: string | undefined
  /** The maximum silence of Redis before the connection is renewed, in milliseconds. */
  readonly redisPatienceMs: number
  /** The target for upgrades of players and feeds, for `http` only; if undefined, the node of the world, from the registry. */
  readonly realtimeUrl: string | undefined
  readonly logLevel: LogLevel
  /** Absent without a metrics listener. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** The port of the Agones sidecar, which sets it; absent without one. */
  readonly agonesPort: number | undefined
  /** The target for traces (OTLP over HTTP); undefined without tracing. */
  readonly tracesEndpoint: string | undefined
  /** The interval of the load log of a real-time node, in seconds; absent without it. */
  readonly loadLogSeconds: number | undefined
  readonly allowPasswordless: boolean
  /** How long a stopping process still answers while not ready, so that a load balancer notices; in milliseconds. */
  readonly shutdownDelayMs: number
  /** Reads any other variable, by a name from a config. This is the only way to secrets that configs refer to. */
  readonly readSecret: (name: string) => string | undefined
}

export type RawEnvironment = Readonly<Record<string, string | undefined>>

const defaultPorts: Record<ProcessRole, number> = {
  all: 3000,
  http: 3000,
  realtime: 3001,
  task: 3000,
}

type Reader = {
  /** The value of a variable, or its default. Records the fault of an invalid text. */
  readonly read: <T>(variable: Variable<T>) => T
  readonly isSet: (variable: VariableRow) => boolean
  readonly refuse: (variable: VariableRow, fault: string) => void
}

const readDynamoTarget = ({ read, isSet, refuse }: Reader): DynamoTarget | undefined => {
  if (read(variables.storage) === 'embedded') return undefined
  const endpoint = read(variables.dynamodbEndpoint)
  const tablePrefix = read(variables.tablePrefix)
  const region = read(variables.region)
  if (!isSet(variables.region) && !isStandIn(endpoint))
    refuse(variables.region, 'is required with STORAGE=dynamodb: set it to the region of the tables, such as eu-central-1')
  return { endpoint, region: region ?? standInRegion, tablePrefix, patienceMs: read(variables.dynamodbPatienceMs) }
}

const readRedisUrl = ({ read, isSet, refuse }: Reader, role: ProcessRole): string | undefined => {
  if (!isSet(variables.redisUrl) && (role === 'http' || role === 'realtime'))
    refuse(
      variables.redisUrl,
      'is required if more than one process runs: set it to your Redis (redis://127.0.0.1:6379), or run everything in one process with npm start',
    )
  return read(variables.redisUrl)
}

const addressOf = (host: string, port: number): string => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`

const readAll = (reader: Reader, role: ProcessRole, readSecret: Environment['readSecret']): Environment => {
  const { read } = reader
  const [host, port] = [read(variables.host), read(variables.port) ?? defaultPorts[role]]
  const worldNames = read(variables.worldNames)
  const baseUrl = read(variables.baseUrl)
  const dataDir = read(variables.dataDir)
  const [realtimeUrl, tracesEndpoint] = [read(variables.realtimeUrl), read(variables.tracesEndpoint)]
  return {
    role,
    host,
    port,
    baseUrl: baseUrl ?? addressOf(host, port),
    dataDir,
    modulesFolder: read(variables.modulesFolder),
    backupDir: read(variables.backupDir) ?? join(dataDir, 'backups'),
    serverDefaults: read(variables.serverDefaults),
    worldName: worldNames[0],
    worldNames,
    worldStandby: read(variables.worldStandby),
    nodeUrl: read(variables.nodeUrl) ?? baseUrl,
    nodeInternalUrl: read(variables.nodeInternalUrl),
    drainLimitMs: read(variables.drainLimitMs),
    dynamodb: readDynamoTarget(reader),
    redisUrl: readRedisUrl(reader, role),
    redisPatienceMs: read(variables.redisPatienceMs),
    realtimeUrl: role === 'http' ? realtimeUrl : undefined,
    logLevel: read(variables.logLevel),
    metricsPort: read(variables.metricsPort),
    metricsHost: read(variables.metricsHost),
    agonesPort: read(variables.agonesPort),
    tracesEndpoint: readSecret('OTEL_SDK_DISABLED') === 'true' ? undefined : tracesEndpoint,
    loadLogSeconds: read(variables.loadLogSeconds),
    allowPasswordless: read(variables.allowPasswordless),
    shutdownDelayMs: read(variables.shutdownDelayMs),
    readSecret,
  }
}

/** Reads all variables of `docs/operations.md`. Throws AppError `invalid` with each fault and its fix. */
export const parseEnvironment = (raw: RawEnvironment, role: ProcessRole): Environment => {
  const faults: Fault[] = []
  const textOf = (name: string): string | undefined => (raw[name] === '' ? undefined : raw[name])
  const refuse: Reader['refuse'] = ({ name }, message) => void faults.push({ pointer: name, message })
  const read: Reader['read'] = (variable) => {
    const text = textOf(variable.name)
    if (text === undefined) return variable.absent
    const result = variable.form(text)
    if ('value' in result) return result.value
    refuse(variable, result.fault)
    return variable.absent
  }
  const environment = readAll({ read, refuse, isSet: ({ name }) => textOf(name) !== undefined }, role, textOf)
  if (faults.length === 0) return environment
  const list = faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
  throw new AppError('invalid', 'bad-request', `The environment is not valid.\n${list}`, { errors: faults })
}
