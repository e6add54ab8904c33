import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import { type ReportedPlayer, tellPlayers } from '../../shared/players/online-players.ts'
import type { NodeReports } from '../../shared/reports/node-reports.ts'

const everyMs = 1_000

export type ReportPlayersDeps = { readonly nodeId: string; readonly nodeReports: NodeReports; readonly log: Log }

/** Tells once a second who is connected and where; the returned function ends that and takes them off. With Redis away it is tried again. */
export const reportPlayers = (
  { nodeId, nodeReports, log }: ReportPlayersDeps,
  list: () => readonly ReportedPlayer[],
): (() => void) => {
  let isEnded = false
  let underWay = Promise.resolve()
  const attempt = (work: () => Promise<void>): Promise<void> => {
    underWay = underWay.then(work).catch((error: unknown) => log.debug({ err: error }, 'who is where cannot be told'))
    return underWay
  }
  const tell = (): Promise<void> => attempt(async () => (isEnded ? undefined : tellPlayers(nodeReports, nodeId, list())))
  void tell()
  const stop = repeat(tell, everyMs)
  return () => {
    isEnded = true
    stop()
    void attempt(() => nodeReports.withdraw('players', nodeId))
  }
}
