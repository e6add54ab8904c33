import type { Answer } from '../../sdk/admin.ts'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { words } from '../words.ts'

type Node = Answer<'GET /api/admin/metrics'>['body']['nodes'][number]

const [width, height] = [600, 80]
/** What a tick has time for. */
const tickMs = 50
const stepsMax = 120

/** The slowest hundredth of the ticks over ten minutes, on a scale that begins with what a tick has time for. */
const Line = ({ steps }: Node) => {
  const values = steps.map(({ tick }) => tick.p99Ms)
  const most = Math.max(tickMs, ...values)
  const left = width - (width / stepsMax) * values.length
  const at = (value: number, index: number): string =>
    `${(left + (index + 1) * (width / stepsMax)).toFixed(1)},${(height - (value / most) * height).toFixed(1)}`
  const text = words.home.tickOf(values.at(-1) ?? 0, Math.max(0, ...values))
  const limit = height - (tickMs / most) * height
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
        <line class="limit" x1="0" x2={width} y1={limit} y2={limit} />
        <polyline points={values.map(at).join(' ')} />
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  )
}

/** Whether the nodes keep their pace. */
export const Ticks = ({ everyMs }: { readonly everyMs: number }) => {
  const metrics = useLoad(async (signal) => (await call('GET /api/admin/metrics', { signal })).body.nodes, [])
  useEvery(everyMs, metrics.reload)
  return (
    <section class="card">
      <h2>{words.home.ticks}</h2>
      <p class="quiet">{words.home.ticksLead}</p>
      <Loading of={metrics}>
        {(nodes) =>
          nodes.length === 0 ? <p class="quiet">{words.home.noNodes}</p> : nodes.map((node) => <Line key={node.node} {...node} />)
        }
      </Loading>
    </section>
  )
}
