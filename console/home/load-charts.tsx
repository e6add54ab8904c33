import type { Answer } from '../../sdk/admin.ts'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { words } from '../words.ts'

type Node = Answer<'GET /api/admin/metrics'>['body']['nodes'][number]

const [width, height] = [600, 80]
/** The time budget of a tick. */
const tickMs = 50
const stepsMax = 120

type LineProps = {
  readonly title: string
  readonly text: string
  /** Oldest first; the last value is the current one. */
  readonly values: readonly number[]
  /** The scale reaches at least this far. */
  readonly atLeast: number
  /** Drawn as a horizontal line. */
  readonly limit?: number
}

/** A chart of one metric over ten minutes. */
const Line = ({ title, text, values, atLeast, limit }: LineProps) => {
  const most = Math.max(atLeast, ...values)
  const left = width - (width / stepsMax) * values.length
  const toY = (value: number): string => (height - (value / most) * height).toFixed(1)
  const at = (value: number, index: number): string => `${(left + (index + 1) * (width / stepsMax)).toFixed(1)},${toY(value)}`
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${text}`}>
        {limit !== undefined && <line class="limit" x1="0" x2={width} y1={toY(limit)} y2={toY(limit)} />}
        <polyline points={values.map(at).join(' ')} />
      </svg>
      <figcaption>
        <strong>{title}</strong> {text}
      </figcaption>
    </figure>
  )
}

const NodeCharts = ({ steps }: Node) => {
  const ticks = steps.map(({ tick }) => tick.p99Ms)
  const sessions = steps.map(({ sessions: count }) => count)
  const tickText = words.home.tickOf(ticks.at(-1) ?? 0, Math.max(0, ...ticks))
  const sessionText = words.home.sessionsOf(sessions.at(-1) ?? 0, Math.max(0, ...sessions))
  return (
    <div class="charts">
      <Line title={words.home.ticks} text={tickText} values={ticks} atLeast={tickMs} limit={tickMs} />
      <Line title={words.home.sessions} text={sessionText} values={sessions} atLeast={4} />
    </div>
  )
}

/** Charts of tick time and sessions for each node. */
export const Load = ({ everyMs }: { readonly everyMs: number }) => {
  const metrics = useLoad(async (signal) => (await call('GET /api/admin/metrics', { signal })).body.nodes, [])
  useEvery(everyMs, metrics.refresh)
  return (
    <section class="card wide-card">
      <h2>{words.home.load}</h2>
      <p class="quiet">{words.home.loadLead}</p>
      <Loading of={metrics}>
        {(nodes) =>
          nodes.length === 0 ? (
            <p class="quiet">{words.home.noFigures}</p>
          ) : (
            nodes.map((node) => <NodeCharts key={node.node} {...node} />)
          )
        }
      </Loading>
    </section>
  )
}
