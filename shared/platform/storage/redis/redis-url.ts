import { AppError } from '../../../kernel/errors.ts'

/** The location of a Redis and its credentials. */
export type RedisTarget = {
  readonly kind: 'single' | 'cluster' | 'sentinel'
  /** The server, some nodes of the cluster, or the sentinels; empty with `path`. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  /** The path of a Unix socket. */
  readonly path?: string
  /** The name of the primary at the sentinels. */
  readonly name?: string
  readonly username?: string
  readonly password?: string
  readonly db: number
  readonly tls: boolean
  /** The maximum silence before the connection is renewed, in milliseconds; 1,000 when absent. */
  readonly patienceMs?: number
}

/** The forms of a Redis URL, for messages. */
const redisUrlForms =
  'redis://[user:password@]host[:port][/db], rediss://… (TLS), unix:///path, redis+cluster://host:port,host:port or redis+sentinel://host:port,host:port/name'

const form =
  /^(?<scheme>redis|rediss)(?:\+(?<kind>cluster|sentinel))?:\/\/(?:(?<username>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<rest>[^/?#]*))?$/
const hostForm = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/

const unreadable = () => new AppError('invalid', 'bad-request', `The address of Redis is not valid. Use ${redisUrlForms}.`)

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unreadable()
  }
}

const parseNode = (text: string, defaultPort: number) => {
  const groups = hostForm.exec(text)?.groups
  const port = Number(groups?.port ?? defaultPort)
  const host = groups?.v6 ?? groups?.name
  if (host === undefined || port < 1 || port > 65_535) throw unreadable()
  return { host, port }
}

/** The location of a Redis for people, without user and password. */
export const describeRedisPlace = ({ path, nodes }: RedisTarget): string =>
  path ?? nodes.map(({ host, port }) => `${host}:${port}`).join()

/**
 * Parses a Redis URL; its user, password and names are percent-encoded. Throws AppError `invalid`, whose text never repeats the URL.
 */
export const parseRedisUrl = (url: string): RedisTarget => {
  if (/^unix:\/\/\/[^?#]+$/.test(url))
    return { kind: 'single', nodes: [], path: decode(url.slice('unix://'.length)), db: 0, tls: false }
  const groups = form.exec(url)?.groups
  if (groups?.hosts === undefined) throw unreadable()
  const kind = groups.kind === 'cluster' || groups.kind === 'sentinel' ? groups.kind : 'single'
  const nodes = groups.hosts.split(',').map((host) => parseNode(host, kind === 'sentinel' ? 26_379 : 6379))
  const rest = decode(groups.rest ?? '')
  const name = kind === 'sentinel' ? rest : ''
  const db = kind === 'single' ? rest : ''
  const fits = kind === 'single' ? nodes.length === 1 && /^\d{0,5}$/.test(db) : kind === 'sentinel' ? name !== '' : rest === ''
  if (!fits) throw unreadable()
  return {
    kind,
    nodes,
    ...(name && { name }),
    ...(groups.username && { username: decode(groups.username) }),
    ...(groups.password && { password: decode(groups.password) }),
    db: Number(db),
    tls: groups.scheme === 'rediss',
  }
}
