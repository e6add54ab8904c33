import { AuditTable } from '../audit/audit-table.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { Health } from './health.tsx'
import { Nodes } from './nodes.tsx'
import { Ticks } from './ticks.tsx'

const refreshMs = 5000

/** The last changes that somebody made. */
const Changes = () => {
  const changes = useLoad(async (signal) => (await call('GET /api/admin/audit', { query: { limit: 8 }, signal })).body, [])
  useEvery(refreshMs, changes.reload)
  return (
    <section class="card wide-card">
      <h2>{words.home.changes}</h2>
      <Loading of={changes}>{({ entries }) => <AuditTable entries={entries} changed={changes.reload} />}</Loading>
      <p>
        <a href={linkTo(['audit'])}>{words.home.allChanges}</a>
      </p>
    </section>
  )
}

export const HomePage = () => (
  <>
    <PageHead title={words.pages.home} />
    <div class="cards">
      <Health everyMs={refreshMs} />
      <Nodes everyMs={refreshMs} />
      {mayDo('admin.metrics.read') && <Ticks everyMs={refreshMs} />}
      {mayDo('admin.audit.read') && <Changes />}
    </div>
  </>
)
