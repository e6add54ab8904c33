import { feedClosings } from '../feeds/door/feed-closing.ts'
import type { StopReason } from '../game/module-hooks.ts'
import { startTicks } from '../game/tick-scheduler.ts'
import type { PlainAnswers } from '../socket/answer-plain-requests.ts'
import { type Closing, goingAway, type Share } from '../socket/closing.ts'
import { visitStaggered } from '../socket/visit-staggered.ts'
import { listenForUpgrades } from './listen-for-upgrades.ts'
import { createLiveSockets, type LiveSocketsDeps } from './live-sockets.ts'
import { createTakeUpgrade, type TakeUpgrade, type UpgradeDeps } from './take-upgrades.ts'

const pingEveryMs = 15_000
const heartbeats = { everyMs: pingEveryMs, sliceMs: 100 }

export type RealtimeServerDeps = LiveSocketsDeps & Pick<UpgradeDeps, 'origins' | 'clients' | 'ids'>

/** The network interface of the real-time node. */
export type RealtimeServer = {
  /** Handles an upgrade of any HTTP server. Paths other than `/realtime` and those of feeds get 404. */
  readonly handleUpgrade: TakeUpgrade
  /** Opens a separate listener and resolves to its port. Requests other than upgrades and GETs of `answers` get 426. */
  listen(port: number, host: string, answers?: PlainAnswers): Promise<number>
  /** Starts the ticks. */
  start(): void
  /** Closes sockets from addresses that are banned now. */
  sanctionsChanged(): void
  /** `settings` has changed. */
  settingsChanged(): void
  /** Refuses new clients and messages, finishes queued work, and stops the ticks. Nothing changes after that. */
  freeze(graceMs: number, reason?: StopReason): Promise<void>
  /** Freezes, sends each client elsewhere or asks it to return, and resolves when all have left. */
  close(options?: CloseOptions): Promise<void>
}

export type CloseOptions = {
  /** The closing for each client. By default it asks the client to return in a few seconds. */
  readonly closingOf?: (share: Share) => Closing
  readonly graceMs?: number
}

export const createRealtimeServer = (deps: RealtimeServerDeps): RealtimeServer => {
  const { loop, clock, log } = deps
  const stops: (() => void)[] = []
  let endTicks = () => {}
  let isFrozen = false
  const sockets = createLiveSockets(deps)
  const handleUpgrade = createTakeUpgrade({ ...deps, sockets, isClosing: () => isFrozen })

  const waitUntil = async (isDone: () => boolean, deadlineMs: number): Promise<void> => {
    while (!isDone() && clock.monotonic() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  const freeze = async (graceMs: number, reason: StopReason = 'shutdown'): Promise<void> => {
    if (isFrozen) return
    isFrozen = true
    loop.stopAccepting(goingAway('The server is restarting.', 1))
    for (const feeds of [loop.feeds, loop.worldFeeds]) feeds.closeAll(feedClosings.goingAway)
    // Starts all work that has arrived, so that the wait includes it.
    loop.tick(clock.monotonic())
    await waitUntil(loop.isIdle, clock.monotonic() + graceMs)
    loop.stopModules(reason)
    loop.tick(clock.monotonic())
    endTicks()
  }

  return {
    handleUpgrade,
    listen: async (port, host, answers = new Map()) => {
      const listener = await listenForUpgrades({ port, host, answers, handleUpgrade, ids: deps.ids, log })
      stops.push(listener.close)
      return listener.port
    },
    start: () => {
      endTicks = startTicks(loop.tickRate, clock, loop.tick)
      stops.push(visitStaggered(sockets.connections, (connection) => connection.heartbeat(), heartbeats))
    },
    sanctionsChanged: sockets.closeBanned,
    settingsChanged: () => {
      for (const connection of sockets.connections) connection.limitsChanged()
    },
    freeze,
    close: async ({ closingOf = () => goingAway(), graceMs = 5000 } = {}) => {
      await freeze(graceMs)
      const leaving = [...sockets.connections]
      for (const [index, connection] of leaving.entries()) connection.close(closingOf({ index, of: leaving.length }))
      await sockets.untilNone()
      for (const stop of stops.splice(0)) stop()
    },
  }
}
