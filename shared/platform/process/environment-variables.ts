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

/** A row of the table for operators, in Markdown. */
export type VariableRow = {
  readonly name: string
  readonly standard: string
  readonly meaning: string
}

/** A variable of the environment: the form of its text, and the value if it is absent or empty. */
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

/** All variables that Gatehouse reads at start, in the order of `docs/operations.md`. Its table is generated from them. */
export const variables = {
  port: optional('PORT', port, { standard: '3000 (`start:realtime`: 3001)', meaning: 'the port it listens on' }),
  host: required('HOST', host, '127.0.0.1', {
    standard: '127.0.0.1',
    meaning: 'the address it listens on; anything but loopback needs `requirePassword: true`',
  }),
  baseUrl: optional('BASE_URL', httpUrl, {
    standard: 'from `HOST` and `PORT`',
    meaning: 'the address that people use; it is in the claim link, and `https://` binds the sign-in cookie to HTTPS',
  }),
  dataDir: required('DATA_DIR', anyText, './data', { standard: '`./data`', meaning: 'the folder for all data' }),
  modulesFolder: optional('GATEHOUSE_MODULES', anyText, {
    standard: 'none',
    meaning: 'another folder with modules, besides `modules` in `DATA_DIR`',
  }),
  backupDir: optional('BACKUP_DIR', anyText, {
    standard: '`backups` in `DATA_DIR`',
    meaning: 'the folder for backups; best on another disk',
  }),
  serverDefaults: optional('SERVER_DEFAULTS', anyText, {
    standard: 'the bundled file',
    meaning: 'a file that replaces the default `server.yaml` while none was saved',
  }),
  worldNames: required('GAME_WORLD_NAME', worldNames, ['default'], {
    standard: '`default`',
    meaning:
      'the active world, or several separated by commas (`default,arena`). A real-time node takes the first free one. The HTTP half uses the first, and sends players without a world name to the first running one',
  }),
  worldStandby: required('WORLD_STANDBY', flag, false, {
    standard: '`false`',
    meaning:
      '`true`: if other nodes run all of these worlds, this node waits for one to become free instead of refusing to start',
  }),
  nodeUrl: optional('NODE_URL', httpUrl, {
    standard: '`BASE_URL`, else the address it listens on',
    meaning: 'the address at which clients reach this real-time node',
  }),
  nodeInternalUrl: optional('NODE_INTERNAL_URL', httpUrl, {
    standard: 'the address it listens on; in ECS the address from `ECS_CONTAINER_METADATA_URI_V4`',
    meaning: 'the address at which other Gatehouse processes reach this real-time node; never shown to clients',
  }),
  drainLimitMs: required('DRAIN_LIMIT_MS', milliseconds, 10_000, {
    standard: '10000',
    meaning: 'how long a stopping real-time node may take to hand its players over',
  }),
  redisUrl: optional('REDIS_URL', redisUrl, {
    standard: 'none',
    meaning:
      '`redis://`, `rediss://`, `unix:///path`, `redis+cluster://a:6379,b:6379`, `redis+sentinel://a:26379,b:26379/name`; required if more than one process runs',
  }),
  redisPatienceMs: required('REDIS_PATIENCE_MS', patience, 1000, {
    standard: '1000',
    meaning: 'how long Redis may be silent before the connection is renewed; raise it if Redis is far away or slow',
  }),
  storage: required('STORAGE', choice(['embedded', 'dynamodb']), 'embedded', {
    standard: '`embedded`',
    meaning:
      '`embedded`: LMDB and YAML files in `DATA_DIR`; `dynamodb`: everything in DynamoDB, in the tables that `npm run tables` creates',
  }),
  dynamodbEndpoint: optional('DYNAMODB_ENDPOINT', httpUrl, {
    standard: "the region's own",
    meaning:
      'the address of DynamoDB; plain `http://` on this machine (LocalStack, DynamoDB Local) uses made-up credentials, any other address those of the AWS SDK (`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or a role)',
  }),
  tablePrefix: required(
    'DYNAMODB_TABLE_PREFIX',
    textOf(/^[A-Za-z0-9_.-]{1,200}$/, () => 'use 1 to 200 letters, digits, dots, dashes or underscores'),
    defaultTablePrefix,
    { standard: `\`${defaultTablePrefix}\``, meaning: 'the prefix of the table names' },
  ),
  dynamodbPatienceMs: required('DYNAMODB_PATIENCE_MS', patience, 1800, {
    standard: '1800',
    meaning: 'how long a request to DynamoDB may take, including retries; raise it for a local stand-in or a distant region',
  }),
  region: optional(
    'AWS_REGION',
    textOf(/^[a-z0-9-]{1,40}$/, (text) => `"${text}" is not a region`),
    { standard: 'none', meaning: 'the region of the tables; required with `dynamodb`, except for a local stand-in' },
  ),
  realtimeUrl: optional('REALTIME_URL', url('http', 'https', 'ws', 'wss'), {
    standard: 'none: the node that runs the world, from the registry in Redis',
    meaning:
      'the target to which `start:http` passes upgrades of `/realtime` and of feeds on: any node, or a load balancer in front of all of them',
  }),
  logLevel: required('LOG_LEVEL', choice(logLevels), 'info', {
    standard: '`info`',
    meaning: logLevels.map((level) => `\`${level}\``).join(', '),
  }),
  loadLogSeconds: optional('LOAD_LOG_SECONDS', secondsUpToAnHour, {
    standard: 'none: never',
    meaning:
      '1 to 3600: how often a real-time node logs a line `load` with its sessions and late ticks, for systems that read metrics from logs',
  }),
  metricsPort: optional('METRICS_PORT', port, {
    standard: 'none: no listener',
    meaning: 'the port for Prometheus metrics at `/metrics`',
  }),
  metricsHost: required('METRICS_HOST', host, '127.0.0.1', {
    standard: '127.0.0.1',
    meaning: 'the address of the metrics listener',
  }),
  tracesEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl, {
    standard: 'none: no traces',
    meaning:
      'the target for traces over OTLP/HTTP, for example `http://127.0.0.1:4318`; the SDK reads the other `OTEL_…` variables, and `OTEL_SDK_DISABLED=true` turns traces off ([metrics.md](metrics.md))',
  }),
  allowPasswordless: required('ALLOW_PASSWORDLESS', flag, false, {
    standard: '`false`',
    meaning: '`true` lets a server that others can reach start with `requirePassword: false`',
  }),
  agonesPort: optional('AGONES_SDK_HTTP_PORT', port, {
    standard: 'none',
    meaning: 'set by Agones in its pods: the port to which the real-time node reports its state ([containers.md](containers.md))',
  }),
  shutdownDelayMs: required('SHUTDOWN_DELAY_MS', milliseconds, 500, {
    standard: '500',
    meaning: 'how long a stopping process still answers requests while it is not ready',
  }),
} as const
