import { Cluster, type Redis } from 'ioredis'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import { startTimeLimit } from '../../../kernel/time-limit.ts'
import type { CallWatch } from '../../tracing/call-watch.ts'
import { connectRedis, connectSubscriber, type RedisClient } from './redis-client.ts'
import { describeRedisFault, toUnavailable } from './redis-fault.ts'
import { describeRedisPlace, parseRedisUrl } from './redis-url.ts'

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

type ReadyWaitOptions = {
  /** The maximum wait for a connection, in milliseconds. */
  readonly waitMs: number
  readonly clock: Pick<Clock, 'monotonic'>
}

/** A connection that was unused for this long may be lost without a notice, because the process was frozen. */
const doubtfulAfterMs = 5000

/**
 * Waits for a working connection before a command is sent, for at most `waitMs`. Never throws. For a Lambda, which is frozen between
 * events with its timers and sockets, so that its view of the connection may be out of date.
 */
const createWaitUntilReady = (client: RedisClient, { waitMs, clock }: ReadyWaitOptions): (() => Promise<void>) => {
  const waiting = new Set<() => void>()
  client.on('ready', () => {
    for (const goOn of [...waiting]) goOn()
  })
  const becomeReady = (withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        endLimit()
        waiting.delete(goOn)
        resolve()
      }
      // While a function loads its modules, arrived data is not read.
      const endLimit = startTimeLimit(withinMs, goOn)
      waiting.add(goOn)
    })

  let usedAtMs = clock.monotonic()
  return async () => {
    const startedMs = clock.monotonic()
    const isDoubtful = startedMs - usedAtMs > doubtfulAfterMs
    usedAtMs = startedMs
    if (isDoubtful && client.status === 'ready') await client.ping().catch(() => undefined)
    const leftMs = startedMs + waitMs - clock.monotonic()
    if (client.status !== 'ready' && leftMs > 0) await becomeReady(leftMs)
  }
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
