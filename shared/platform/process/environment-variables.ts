import { logLevels } from '../../kernel/log.ts'
import { defaultTablePrefix } from '../storage/dynamodb/dynamodb-target.ts'
import {
  anyText,
  choice,
  type Form,
  flag,
  host,
  milliseconds,
  patience,
  port,
  redisUrl,
  secondsUpToAnHour,
  textOf,
  url,
  worldNames,
} from './environment-forms.ts'

/** A row of the operator's table; Markdown. */
export type VariableRow = {
  readonly name: string
  readonly standard: string
  readonly meaning: string
}

/** A variable of the environment: how its text is read, and what counts where it is absent or empty. */
export type Variable<T> = VariableRow & {
  readonly form: Form<T>
  readonly absent: T
}

type Described = Pick<VariableRow, 'standard' | 'meaning'>

const required = <T>(name: string, form: Form<T>, absent: T, described: Described): Variable<T> => ({
  name,
  form,
  absent,
  ...described,
})

const optional = <T>(name: string, form: Form<T>, described: Described): Variable<T | undefined> =>
  required<T | undefined>(name, form, undefined, described)

const httpUrl = url('http', 'https')

/** Every variable that Gatehouse reads at start, in the order of `docs/operations.md`, whose table is made from it. */
export const variables = {
  port: optional('PORT', port, { standard: '3000 (`start:realtime`: 3001)', meaning: 'where it listens' }),
  host: required('HOST', host, '127.0.0.1', {
    standard: '127.0.0.1',
    meaning: 'the address it listens on; anything but loopback needs `requirePassword: true`',
  }),
  baseUrl: optional('BASE_URL', httpUrl, {
    standard: 'from `HOST` and `PORT`',
    meaning:
      'the address that people use; the claim link is made from it, and with `https://` the cookie of a sign-in is bound to HTTPS',
  }),
  dataDir: required('DATA_DIR', anyText, './data', { standard: '`./data`', meaning: 'everything that is kept' }),
  backupDir: optional('BACKUP_DIR', anyText, {
    standard: '`backups` in `DATA_DIR`',
    meaning: 'where backups of the data folder go; better a folder on another disk',
  }),
  serverDefaults: optional('SERVER_DEFAULTS', anyText, {
    standard: 'the one that comes with Gatehouse',
    meaning: 'a file with the default of `server.yaml`, which counts whole where none was saved',
  }),
  worldNames: required('GAME_WORLD_NAME', worldNames, ['default'], {
    standard: '`default`',
    meaning:
      'the active world; several with commas between them (`default,arena`): a real-time node takes the first that nobody runs, the HTTP half goes by the first, and passes players who name no world on to the first that runs',
  }),
  worldStandby: required('WORLD_STANDBY', flag, false, {
    standard: '`false`',
    meaning:
      '`true`: where other nodes run all of these worlds, this one waits, ready, for one to become free, instead of refusing to start',
  }),
  nodeUrl: optional('NODE_URL', httpUrl, {
    standard: '`BASE_URL`, else where the node listens',
    meaning: 'where clients reach this real-time node',
  }),
  nodeInternalUrl: optional('NODE_INTERNAL_URL', httpUrl, {
    standard: 'where the node listens; in ECS the address of the container, which it is told at `ECS_CONTAINER_METADATA_URI_V4`',
    meaning: 'where other processes of Gatehouse reach this real-time node; never shown to clients',
  }),
  drainLimitMs: required('DRAIN_LIMIT_MS', milliseconds, 10_000, {
    standard: '10000',
    meaning: 'how long a real-time node that is told to stop may take to hand its players over',
  }),
  redisUrl: optional('REDIS_URL', redisUrl, {
    standard: 'none',
    meaning:
      '`redis://`, `rediss://`, `unix:///path`, `redis+cluster://a:6379,b:6379`, `redis+sentinel://a:26379,b:26379/name`; needed as soon as more than one process runs',
  }),
  redisPatienceMs: required('REDIS_PATIENCE_MS', patience, 1000, {
    standard: '1000',
    meaning:
      'how long Redis may be silent before the connection is given up and made again; more where it is far away or starved',
  }),
  storage: required('STORAGE', choice(['embedded', 'dynamodb']), 'embedded', {
    standard: '`embedded`',
    meaning:
      '`embedded`: LMDB and YAML files in `DATA_DIR`; `dynamodb`: everything in DynamoDB, in tables that `npm run tables` creates',
  }),
  dynamodbEndpoint: optional('DYNAMODB_ENDPOINT', httpUrl, {
    standard: "the region's own",
    meaning:
      "where DynamoDB is; on plain `http://` on this machine it is a stand-in (LocalStack, DynamoDB Local) and is told made-up credentials; any other gets what the AWS SDK finds (`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a role), a stand-in in a container's network too, which takes any",
  }),
  tablePrefix: required(
    'DYNAMODB_TABLE_PREFIX',
    textOf(/^[A-Za-z0-9_.-]{1,200}$/, () => 'use 1 to 200 letters, digits, dots, dashes or underscores'),
    defaultTablePrefix,
    { standard: `\`${defaultTablePrefix}\``, meaning: 'begins the names of the tables' },
  ),
  dynamodbPatienceMs: required('DYNAMODB_PATIENCE_MS', patience, 1800, {
    standard: '1800',
    meaning:
      'how long a request to DynamoDB may take with all its repetitions before the caller is told that it does not answer; more for a stand-in or a region far away',
  }),
  region: optional(
    'AWS_REGION',
    textOf(/^[a-z0-9-]{1,40}$/, (text) => `"${text}" is not a region`),
    { standard: 'none', meaning: 'the region of the tables; needed with `dynamodb`, but for a stand-in' },
  ),
  realtimeUrl: optional('REALTIME_URL', url('http', 'https', 'ws', 'wss'), {
    standard: 'none: the node that runs the world, by the registry in Redis',
    meaning:
      'where `start:http` passes upgrades of `/realtime` and `/api/admin/ws/instances/{id}` on to: any node, or a balancer before all of them',
  }),
  logLevel: required('LOG_LEVEL', choice(logLevels), 'info', {
    standard: '`info`',
    meaning: logLevels.map((level) => `\`${level}\``).join(', '),
  }),
  loadLogSeconds: optional('LOAD_LOG_SECONDS', secondsUpToAnHour, {
    standard: 'none: never',
    meaning:
      '1 to 3600: how often a real-time node writes a line `load` to the log, of its sessions and late ticks; for those who read metrics out of logs',
  }),
  metricsPort: optional('METRICS_PORT', port, {
    standard: 'none: no listener',
    meaning: 'Prometheus metrics at `/metrics` on a port of their own',
  }),
  metricsHost: required('METRICS_HOST', host, '127.0.0.1', {
    standard: '127.0.0.1',
    meaning: 'the address of the metrics listener',
  }),
  tracesEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl, {
    standard: 'none: nothing is traced',
    meaning:
      'where traces go, over OTLP/HTTP, as `http://127.0.0.1:4318`; the other `OTEL_…` variables count as the SDK reads them, `OTEL_SDK_DISABLED=true` turns all off ([metrics.md](metrics.md))',
  }),
  allowPasswordless: required('ALLOW_PASSWORDLESS', flag, false, {
    standard: '`false`',
    meaning: '`true` lets a server that others can reach, by `HOST`, `BASE_URL` or a proxy, start with `requirePassword: false`',
  }),
  agonesPort: optional('AGONES_SDK_HTTP_PORT', port, {
    standard: 'none',
    meaning:
      'set by Agones in the pods of a fleet: where its sidecar is told how the real-time node is ([containers.md](containers.md))',
  }),
  shutdownDelayMs: required('SHUTDOWN_DELAY_MS', milliseconds, 500, {
    standard: '500',
    meaning: 'how long a stopping process still answers, not ready',
  }),
} as const
