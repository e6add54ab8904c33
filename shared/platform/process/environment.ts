import { isIP } from 'node:net'
import { join } from 'node:path'
import { AppError, type Fault } from '../../kernel/errors.ts'
import type { LogLevel } from '../../kernel/log.ts'
import { type DynamoTarget, isStandIn, standInRegion } from '../storage/dynamodb/dynamodb-target.ts'
import { type Variable, type VariableRow, variables } from './environment-variables.ts'

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
  /** The file with the default of `server.yaml`; undefined: the one that comes with Gatehouse. */
  readonly serverDefaults: string | undefined
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
  /** How long Redis may be silent before its connection is given up, in milliseconds. */
  readonly redisPatienceMs: number
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

type Reader = {
  /** The value of a variable, after its fault is noted; what counts without it, where there is none. */
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
    refuse(variables.region, 'is needed with STORAGE=dynamodb: set it to the region of the tables, like eu-central-1')
  return { endpoint, region: region ?? standInRegion, tablePrefix, patienceMs: read(variables.dynamodbPatienceMs) }
}

const readRedisUrl = ({ read, isSet, refuse }: Reader, role: ProcessRole): string | undefined => {
  if (!isSet(variables.redisUrl) && (role === 'http' || role === 'realtime'))
    refuse(
      variables.redisUrl,
      'is needed as soon as more than one process runs: set it to your Redis (redis://127.0.0.1:6379), or run everything in one with npm start',
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

/** Reads every variable of `docs/operations.md`, or throws AppError `invalid` that names each fault and its fix. */
export const parseEnvironment = (raw: RawEnvironment, role: ProcessRole): Environment => {
  const faults: Fault[] = []
  const textOf = (name: string): string | undefined => (raw[name] === '' ? undefined : raw[name])
  const refuse: Reader['refuse'] = ({ name }, message) => void faults.push({ pointer: name, message })
  const read: Reader['read'] = (variable) => {
    const text = textOf(variable.name)
    if (text === undefined) return variable.absent
    const found = variable.form(text)
    if ('value' in found) return found.value
    refuse(variable, found.fault)
    return variable.absent
  }
  const environment = readAll({ read, refuse, isSet: ({ name }) => textOf(name) !== undefined }, role, textOf)
  if (faults.length === 0) return environment
  const list = faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('\n')
  throw new AppError('invalid', 'bad-request', `The environment is not valid.\n${list}`, { errors: faults })
}
