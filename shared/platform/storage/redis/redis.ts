import { Cluster, type Redis } from 'ioredis'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CallWatch } from '../../tracing/call-watch.ts'
import { connectRedis, connectSubscriber, type RedisClient } from './redis-client.ts'
import { describeRedisFault, toUnavailable } from './redis-fault.ts'
import { describeRedisPlace, parseRedisUrl } from './redis-url.ts'
import { createWaitUntilReady, type ReadyWaitOptions } from './wait-until-ready.ts'

/** Tells `watch` of every command of `client` by its name, those of pipelines, transactions and scripts included; of a cluster, with redirections. */
const watchCommands = (client: RedisClient, watch: CallWatch): void => {
  const follow = ({ name, promise }: { readonly name: string; readonly promise: Promise<unknown> }): void => {
    const done = watch(name)
    promise.then(() => done(), done)
  }
  if (client instanceof Cluster) {
    const send = client.sendCommand.bind(client)
    client.sendCommand = (command, stream, node) => {
      follow(command)
      return send(command, stream, node)
    }
    return
  }
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command, stream) => {
    follow(command)
    return send(command, stream)
  }
}

/** A client that heals itself, and the one way to ask it. */
export type RedisAsker<C extends RedisClient = RedisClient> = {
  readonly client: C
  /** Runs commands; whatever fails, within about a second, is AppError `unavailable`, never an error of ioredis. The first commands wait for the first attempt to connect, later ones for nothing. */
  ask<T>(commands: (client: C) => Promise<T>): Promise<T>
  /** Lets what was asked finish, if Redis is there; then the client is of no more use. */
  close(): Promise<void>
}

/** A connection to Redis, closed by who created it. */
export type RedisConnection = RedisAsker & {
  /** Begins every key and channel. */
  readonly prefix: string
  /** A further connection to the same Redis, for subscriptions; closed by itself. */
  openSubscriber(): RedisAsker<Redis>
}

type RedisDeps = {
  readonly url: string
  /** How long Redis may be silent before its connection is given up, in milliseconds; 1,000 when absent. */
  readonly patienceMs?: number
  readonly log: Log
  readonly ids: Ids
  /** `gatehouse:` when absent. */
  readonly prefix?: string
  /** For a process that stands still between its requests; when absent, commands wait for no connection but the first. */
  readonly readyWait?: ReadyWaitOptions
  /** Is told of every command, but of those for subscriptions. */
  readonly watch?: CallWatch | undefined
}

/** Doubles from 50 ms up to half a second, and spreads, so that many processes do not come back in step. */
const createRetryDelay = (ids: Ids) => (attempt: number) => {
  const spread = Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
  return Math.round(Math.min(500, 50 * 2 ** Math.min(attempt - 1, 10)) * (0.5 + spread / 2))
}

const createAsker = <C extends RedisClient>(client: C, log: Log, readyWait?: ReadyWaitOptions): RedisAsker<C> => {
  const waitUntilReady = readyWait && createWaitUntilReady(client, readyWait)
  let state: 'connecting' | 'reachable' | 'away' | 'closing' = 'connecting'
  const away = (reason: string) => {
    if (state === 'closing' || state === 'away') return
    state = 'away'
    log.warn({ reason }, 'Redis is away; trying until it is back')
  }
  const attempted = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close', 'end']) client.once(event, () => resolve())
  })
  client.on('ready', () => {
    if (state === 'closing') return
    state = 'reachable'
    log.info({}, 'Redis is reachable')
  })
  client.on('error', (fault: unknown) => away(describeRedisFault(fault)))
  client.on('close', () => away('connection closed'))
  return {
    client,
    ask: async (commands) => {
      if (waitUntilReady !== undefined) await waitUntilReady()
      else if (state === 'connecting') await attempted
      try {
        return await commands(client)
      } catch (fault) {
        throw toUnavailable(fault)
      }
    },
    close: async () => {
      state = 'closing'
      if (client.status === 'ready') await client.quit().catch(() => undefined)
      client.disconnect()
    },
  }
}

/** Connects at once and for ever again, without a queue for commands while Redis is away; a change between reachable and away is logged once. Throws AppError `invalid` for an address that is none. */
export const createRedis = ({
  url,
  log,
  ids,
  prefix = 'gatehouse:',
  readyWait,
  watch,
  ...silence
}: RedisDeps): RedisConnection => {
  const target = { ...parseRedisUrl(url), ...silence }
  const redisLog = log.child({ redis: describeRedisPlace(target) })
  const retryDelay = createRetryDelay(ids)
  const client = connectRedis(target, retryDelay)
  if (watch !== undefined) watchCommands(client, watch)
  const asker = createAsker(client, redisLog, readyWait)
  return {
    ...asker,
    prefix,
    openSubscriber: () =>
      createAsker(connectSubscriber(target, asker.client, retryDelay), redisLog.child({ use: 'subscriptions' })),
  }
}
