import { Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { createQueue } from '../../../kernel/queue.ts'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import { createCollection, type Store, type Version } from '../../../platform/storage/store.ts'
import { configNames, isConfigName } from '../catalogue.ts'
import type { ConfigName } from '../declare/config-file.ts'
import type { ReloadReport } from './config-holder.ts'

const ConfigReloads = createCollection(
  'config-reloads',
  Type.Object({
    count: Type.Integer({ minimum: 1 }),
    at: Type.String({ description: 'ISO 8601, UTC.' }),
    names: Type.Optional(Type.Array(Type.String(), { description: 'The files that were read again; all if absent.' })),
  }),
)
const recordId = 'latest'

/** The last reload of any process; count 0 and version `null` before the first. */
type LastReload = {
  readonly version: Version | null
  readonly count: number
  readonly names: readonly ConfigName[]
}

/** The record of reloads in the Store; its version changes with each. */
type ReloadCounter = {
  read(): Promise<LastReload>
  /** Counts a reload of these files; undefined if another process has reloaded since `seen`. */
  bump(seen: LastReload, names: readonly ConfigName[]): Promise<LastReload | undefined>
}

/** Counts the reloads of all processes on one Store, so that none is missed if an event is lost. */
export const createReloadCounter = (store: Store, clock: Clock): ReloadCounter => ({
  read: async () => {
    const record = await store.get(ConfigReloads, recordId)
    if (record === undefined) return { version: null, count: 0, names: [] }
    const { count, names = configNames } = record.value
    return { version: record.version, count, names: names.filter(isConfigName) }
  },
  bump: async (seen, names) => {
    const next = { count: seen.count + 1, at: new Date(clock.now()).toISOString(), names: [...names] }
    try {
      return { version: await store.put(ConfigReloads, recordId, next, { ifVersion: seen.version }), count: next.count, names }
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return undefined
      throw error
    }
  },
})

type SharedReloadsDeps = {
  readonly counter: ReloadCounter
  /** The last reload before the active configs were read. */
  readonly seen: LastReload
  readonly events: EventBus
  readonly log: Log
  readonly pollMs: number
  readonly readAgain: (names: readonly ConfigName[]) => Promise<ReloadReport>
}

type SharedReloads = {
  /** Reads these files again here, then notifies every other process. */
  reload(names: readonly ConfigName[]): Promise<ReloadReport>
  /** Applies reloads of other processes so far. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

const startPolling = (task: () => Promise<void>, { pollMs, log }: Pick<SharedReloadsDeps, 'pollMs' | 'log'>) => {
  let running = false
  let failing = false
  const poll = async () => {
    if (running) return
    running = true
    try {
      await task()
      failing = false
    } catch (error) {
      // One line for each outage, not for each poll.
      if (!failing) log.warn({ err: error }, 'could not check whether another process reloaded configs')
      failing = true
    }
    running = false
  }
  const timer = setInterval(() => void poll(), pollMs).unref()
  return () => clearInterval(timer)
}

/**
 * Keeps the configs of all processes in step. A reload increments a counter and publishes an event. Processes that receive it compare the
 * counter, so that repeated events have no effect, and read without publishing. After more than one missed reload they read all files.
 */
export const createSharedReloads = (deps: SharedReloadsDeps): SharedReloads => {
  const { counter, events, log, readAgain } = deps
  const inTurn = createQueue()
  let seen = deps.seen

  const catchUp = async () => {
    const last = await counter.read()
    if (last.version === seen.version) return
    await readAgain(last.count === seen.count + 1 ? last.names : configNames)
    seen = last
  }
  const count = async (names: readonly ConfigName[]) => {
    let last = await counter.bump(seen, names)
    while (last === undefined) {
      await catchUp()
      last = await counter.bump(seen, names)
    }
    seen = last
  }

  const stopPolling = startPolling(() => inTurn(catchUp), deps)
  // Not awaited: a process must start without Redis too. Until the subscription works, it polls the counter.
  const subscription = events.subscribe('configs-reloaded', () => inTurn(catchUp))
  subscription.catch((error: unknown) => log.warn({ err: error }, 'reloads of other processes are detected by polling only'))
  return {
    reload: async (names) => {
      const report = await inTurn(async () => {
        const read = await readAgain(names)
        await count(names)
        return read
      })
      await events.publish('configs-reloaded', { names: [...names] })
      return report
    },
    catchUp: () => inTurn(catchUp),
    close: async () => {
      stopPolling()
      void subscription.then(
        (unsubscribe) => unsubscribe(),
        () => undefined,
      )
      await inTurn(async () => undefined)
    },
  }
}
