import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'

export type LoadLogDeps = {
  readonly clock: Clock
  readonly log: Log
  /** Between two lines. */
  readonly everySeconds: number
  /** As they are in force. */
  readonly settings: () => { readonly maxSessions: number; readonly tickRate: number }
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10)

/** A tick that begins half an interval too late is one that players feel. */
const isLate = (sincePreviousSeconds: number, tickRate: number): boolean => sincePreviousSeconds * tickRate > 1.5

/**
 * Passes everything on to `metrics`, and every so often writes a line `load` to the log: how full the node is, how many ticks began late. It is for those who read logs and scrape no metrics, as CloudWatch. A node that runs no world has no ticks and writes none.
 */
export const logLoad = (metrics: RealtimeMetrics, { clock, log, everySeconds, settings }: LoadLogDeps): RealtimeMetrics => {
  let sinceMs = clock.monotonic()
  let countSessions = (): number => 0
  let ticks = 0
  let lateTicks = 0
  return {
    ...metrics,
    watch: (node) => {
      metrics.watch(node)
      countSessions = () => {
        const { connected, detached } = node.state().sessions
        return connected + detached
      }
    },
    observeTick: (seconds, sincePreviousSeconds, traffic) => {
      metrics.observeTick(seconds, sincePreviousSeconds, traffic)
      const { maxSessions, tickRate } = settings()
      ticks += 1
      if (isLate(sincePreviousSeconds, tickRate)) lateTicks += 1
      if (clock.monotonic() - sinceMs < everySeconds * 1000) return
      const sessions = countSessions()
      const [sessionsPercent, lateTicksPercent] = [percent(sessions, maxSessions), percent(lateTicks, ticks)]
      log.info({ sessions, maxSessions, sessionsPercent, ticks, lateTicks, lateTicksPercent }, 'load')
      sinceMs = clock.monotonic()
      ticks = 0
      lateTicks = 0
    },
  }
}
