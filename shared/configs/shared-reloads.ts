import type { EventBus } from '../events/event-bus.ts'
import type { Log } from '../kernel/log.ts'
import type { Version } from '../storage/store.ts'
import { configNames } from './catalogue.ts'
import type { ConfigName, ReloadReport } from './configs.ts'
import type { ReloadCounter } from './reload-counter.ts'

export type SharedReloadsDeps = {
  readonly counter: ReloadCounter
  /** The counter's version from before the configs in force were read. */
  readonly seen: Version | null
  readonly events: EventBus
  readonly log: Log
  readonly pollMs: number
  readonly readAgain: (names: readonly ConfigName[]) => Promise<ReloadReport>
}

export type SharedReloads = {
  /** Reads again here, then tells every other process to. */
  reload(names: readonly ConfigName[]): Promise<ReloadReport>
  close(): Promise<void>
}

/** Runs tasks one after another, however they end. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task)
    last = run.catch(() => undefined)
    return run
  }
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
      // One line an outage, not one a poll.
      if (!failing) log.warn({ err: error }, 'cannot see whether configs were reloaded elsewhere')
      failing = true
    }
    running = false
  }
  const timer = setInterval(() => void poll(), pollMs).unref()
  return () => clearInterval(timer)
}

/**
 * Keeps the configs of all processes in step: a reload is announced by an event and a counter. Who hears of one compares the
 * counter, so that its own and repeated announcements come to nothing, and reads without announcing, so that none echoes.
 */
export const createSharedReloads = (deps: SharedReloadsDeps): SharedReloads => {
  const { counter, events, log, readAgain } = deps
  const inTurn = createQueue()
  let seen = deps.seen

  const catchUp = async () => {
    const version = await counter.read()
    if (version === seen) return
    await readAgain(configNames)
    seen = version
  }
  const count = async () => {
    let version = await counter.bump(seen)
    while (version === undefined) {
      await catchUp()
      version = await counter.bump(seen)
    }
    seen = version
  }

  const stopPolling = startPolling(() => inTurn(catchUp), deps)
  // Not waited for: with Redis away a process starts all the same, and until then the counter is looked at.
  const subscription = events.subscribe('configs-reloaded', () => inTurn(catchUp))
  subscription.catch((error: unknown) => log.warn({ err: error }, 'reloads elsewhere are noticed by polling only'))
  return {
    reload: async (names) => {
      const report = await inTurn(async () => {
        const read = await readAgain(names)
        await count()
        return read
      })
      await events.publish('configs-reloaded', { names: [...names] })
      return report
    },
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
