import { type ReportedPlayer, tellPlayers } from '../../shared/domain/players/online-players.ts'
import type { NodeReports } from '../../shared/domain/reports/node-reports.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

const everyMs = 1_000

/** Between two reports of arrivals: each lists every player of the node. */
const arrivalsEveryMs = 100

export type ReportPlayersDeps = {
  readonly nodeId: string
  readonly nodeReports: NodeReports
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}

/** Reports who is connected to this node and where, for other processes. */
export type PlayerReports = {
  /** A player connected or left: reports at once, or 0.1 s after the report before. */
  soon(): void
  /** Ends the reports and withdraws the last one. */
  stop(): void
}

/** Reports once a second, and soon after each arrival. With Redis away it is tried again. */
export const reportPlayers = (
  { nodeId, nodeReports, clock, log }: ReportPlayersDeps,
  list: () => readonly ReportedPlayer[],
): PlayerReports => {
  let isEnded = false
  let underWay = Promise.resolve()
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const attempt = (work: () => Promise<void>): Promise<void> => {
    underWay = underWay.then(work).catch((error: unknown) => log.debug({ err: error }, 'who is where cannot be told'))
    return underWay
  }
  const tell = (): Promise<void> =>
    attempt(async () => {
      if (isEnded) return
      reportedAtMs = clock.monotonic()
      await tellPlayers(nodeReports, nodeId, list())
    })
  void tell()
  const stopRepeating = repeat(tell, everyMs)
  return {
    soon: () => {
      // Not within the tick: the player is in the list once it is over.
      timer ??= setTimeout(
        () => {
          timer = undefined
          void tell()
        },
        Math.max(0, reportedAtMs + arrivalsEveryMs - clock.monotonic()),
      )
    },
    stop: () => {
      isEnded = true
      clearTimeout(timer)
      stopRepeating()
      void attempt(() => nodeReports.withdraw('players', nodeId))
    },
  }
}
