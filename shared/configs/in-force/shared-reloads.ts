import type { EventBus } from '../../events/event-bus.ts'
import type { Log } from '../../kernel/log.ts'
import { createQueue } from '../../kernel/queue.ts'
import { configNames } from '../catalogue.ts'
import type { ConfigName, ReloadReport } from './configs.ts'
import type { LastReload, ReloadCounter } from './reload-counter.ts'

export type SharedReloadsDeps = {
  readonly counter: ReloadCounter
  /** The last reload before the configs in force were read. */
  readonly seen: LastReload
  readonly events: EventBus
  readonly log: Log
  readonly pollMs: number
  readonly readAgain: (names: readonly ConfigName[]) => Promise<ReloadReport>
}

export type SharedReloads = {
  /** Reads again here, then tells every other process to. */
  reload(names: readonly ConfigName[]): Promise<ReloadReport>
  /** Takes in what was reloaded elsewhere until now. */
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
 * counter, so that its own and repeated announcements come to nothing, and reads without announcing, so that none echoes: the same
 * files, or all of them where more than one reload was missed.
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
  // Not waited for: with Redis away a process starts all the same, and until then the counter is looked at.
  const subscription = events.subscribe('configs-reloaded', () => inTurn(catchUp))
  subscription.catch((error: unknown) => log.warn({ err: error }, 'reloads elsewhere are noticed by polling only'))
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
