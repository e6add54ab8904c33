import { Lazy } from '../parts/lazy.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { connection } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { ChartRooms } from './chart-rooms.tsx'
import { StatusStrip } from './status-strip.tsx'

/** The state of the server, pending tasks, load and recent changes. */
export const HomePage = () => (
  <>
    <PageHead title={words.pages.home} />
    <div class={connection.value.isLost ? 'overview away' : 'overview'}>
      <StatusStrip />
      <Attention />
      {mayDo('admin.metrics.read') && (
        <Lazy
          name="charts"
          of={async () => (await import('./load-charts.tsx')).LoadCharts}
          props={{}}
          waiting={
            <section class="card">
              <ChartRooms />
            </section>
          }
        />
      )}
      {mayDo('admin.audit.read') && <Activity />}
    </div>
  </>
)
