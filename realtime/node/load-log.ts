import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { TickObserver } from '../metrics/realtime-metrics.ts'

export type LoadLogDeps = {
  readonly clock: Clock
  readonly log: Log
  /** The interval between two lines. */
  readonly everySeconds: number
  /** The active settings. */
  readonly settings: () => { readonly maxSessions: number; readonly tickRate: number }
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10)

/** Players notice a tick that starts more than half an interval late. */
const isLate = (sincePreviousSeconds: number, tickRate: number): boolean => sincePreviousSeconds * tickRate > 1.5

/**
 * Regularly logs a line `load`: how full the node is, and how many ticks started late. It is for log services such as CloudWatch that
 * do not scrape metrics. A node without a world has no ticks and logs no lines.
 */
export const createLoadLog = ({ clock, log, everySeconds, settings }: LoadLogDeps): TickObserver => {
  let sinceMs = clock.monotonic()
  let countSessions = (): number => 0
  let ticks = 0
  let lateTicks = 0
  return {
    watch: (node) => {
      countSessions = () => {
        const { connected, detached } = node.state().sessions
        return connected + detached
      }
    },
    observeTick: (_seconds, sincePreviousSeconds) => {
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
