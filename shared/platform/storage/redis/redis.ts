import { Cluster, type Redis } from 'ioredis'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CallWatch } from '../../tracing/call-watch.ts'
import { connectRedis, connectSubscriber, type RedisClient } from './redis-client.ts'
import { describeRedisFault, toUnavailable } from './redis-fault.ts'
import { describeRedisPlace, parseRedisUrl } from './redis-url.ts'
import { createWaitUntilReady, type ReadyWaitOptions } from './wait-until-ready.ts'

/**
 * Calls `watch` for every command of `client` with its name, including those of pipelines, transactions and scripts. With a cluster it
 * includes redirections.
 */
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

/** A client that reconnects by itself, and the only way to send commands. */
export type RedisAsker<C extends RedisClient = RedisClient> = {
  readonly client: C
  /**
   * Runs commands. Any failure, within about a second, is AppError `unavailable`, never an error of ioredis. The first commands wait
   * for the first attempt to connect; later ones do not wait.
   */
  ask<T>(commands: (client: C) => Promise<T>): Promise<T>
  /** Waits for pending commands if Redis is reachable, then closes the client. */
  close(): Promise<void>
}

/** A connection to Redis. Its creator closes it. */
export type RedisConnection = RedisAsker & {
  /** The prefix of every key and channel. */
  readonly prefix: string
  /** Opens another connection to the same Redis for subscriptions. Close it separately. */
  openSubscriber(): RedisAsker<Redis>
}

type RedisDeps = {
  readonly url: string
  /** The maximum silence of Redis before the connection is renewed, in milliseconds; 1,000 when absent. */
  readonly patienceMs?: number
  readonly log: Log
  readonly ids: Ids
  /** `gatehouse:` when absent. */
  readonly prefix?: string
  /** For a process that is frozen between its requests. When absent, commands wait only for the first connection. */
  readonly readyWait?: ReadyWaitOptions
  /** Called for every command except those for subscriptions. */
  readonly watch?: CallWatch | undefined
}

/** Doubles from 50 ms up to half a second, with a random spread, so that many processes do not reconnect at the same time. */
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
    log.warn({ reason }, 'Redis is away; retrying until it is back')
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

/**
 * Connects at once and reconnects forever, without a queue for commands while Redis is away. Logs changes between reachable and away
 * once. Throws AppError `invalid` for an invalid address.
 */
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
