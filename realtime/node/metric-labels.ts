import { refusalCodes } from '../commands/executor/decide-command.ts'
import { feedBannedCode, feedClosings } from '../feeds/door/feed-closing.ts'
import type { MetricLabels } from '../metrics/realtime-metrics.ts'
import { closings } from '../socket/closing.ts'

/** The codes of closings and refusals that metrics of this node count. */
export const metricLabels: MetricLabels = {
  closings: [...Object.values(closings).map(({ code }) => code), 'kicked', 'going-away'],
  feedClosings: [...Object.values(feedClosings).map(({ code }) => code), feedBannedCode],
  commandRefusals: refusalCodes,
}
