import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'
import { type ReportedPlayer, tellPlayers } from '../../shared/domain/players/online-players.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createSerialQueue } from '../../shared/kernel/queue.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

const everyMs = 1_000

/** The minimum interval between two reports of joins and leaves, because each report lists all players of the node. */
const arrivalsEveryMs = 100

export type ReportPlayersDeps = {
  readonly nodeId: string
  readonly nodeReports: NodeReports
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}

/** Reports the connected players of this node and their positions to other processes. */
export type PlayerReports = {
  /** A player connected or left. Reports immediately, or 0.1 s after the previous report. */
  soon(): void
  /** Stops the reports and removes the last one. */
  stop(): void
}

/** Reports once a second, and soon after each join or leave. Failed reports are repeated. */
export const reportPlayers = (
  { nodeId, nodeReports, clock, log }: ReportPlayersDeps,
  list: () => readonly ReportedPlayer[],
): PlayerReports => {
  let isEnded = false
  const inTurn = createSerialQueue()
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const attempt = (work: () => Promise<void>): Promise<void> =>
    inTurn(work).catch((error: unknown) => log.debug({ err: error }, 'players cannot be reported'))
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
      // Not within the tick: the player is in the list after it.
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
