import { AuditTable } from '../audit/audit-table.tsx'
import { Badges } from '../parts/badges.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Person } from '../parts/person.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { Health } from './health.tsx'
import { Load } from './load-charts.tsx'
import { Nodes } from './nodes.tsx'

const refreshMs = 5000

/** The newest audit entries. */
const Changes = () => {
  const changes = useLoad(async (signal) => (await call('GET /api/admin/audit', { query: { limit: 8 }, signal })).body, [])
  useEvery(refreshMs, changes.refresh)
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

type Often = { readonly everyMs: number }

const namesMax = 12

const WhoIsOn = ({ everyMs }: Often) => {
  const players = useLoad(async (signal) => (await call('GET /api/admin/players', { query: { limit: 200 }, signal })).body, [])
  useEvery(everyMs, players.refresh)
  return (
    <section class="card">
      <h2>
        <a href={linkTo(['players'])}>{words.players.who}</a>
      </h2>
      <Loading of={players}>
        {({ players: all, nextCursor }) =>
          all.length === 0 ? (
            <p class="quiet">{words.players.nobody}</p>
          ) : (
            <>
              <Badges names={all.slice(0, namesMax).map(({ displayName }) => displayName)} />
              {all.length > namesMax && (
                <span class="quiet">{words.home.andMore(all.length - namesMax, nextCursor !== undefined)}</span>
              )}
            </>
          )
        }
      </Loading>
    </section>
  )
}

const reportsMax = 50

const OpenReports = ({ everyMs }: Often) => {
  const reports = useLoad(
    async (signal) => (await call('GET /api/admin/reports', { query: { state: 'open', limit: reportsMax }, signal })).body,
    [],
  )
  useEvery(everyMs, reports.refresh)
  return (
    <section class="card">
      <h2>
        <a href={linkTo(['moderation'])}>{words.home.reportsTitle}</a>
      </h2>
      <Loading of={reports}>
        {({ reports: open, names }) =>
          open.length === 0 ? (
            <p class="quiet">{words.moderation.noReports}</p>
          ) : (
            <>
              <p>
                <span class="badge warn">{words.home.reports(open.length, open.length === reportsMax)}</span>
              </p>
              <ul class="plain-list">
                {open.slice(0, 3).map(({ id, by, text, at }) => (
                  <li key={id}>
                    <bdi>{text}</bdi>
                    <br />
                    <small>
                      <Person email={by} names={names} />, <Time at={at} />
                    </small>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loading>
    </section>
  )
}

export const HomePage = () => (
  <>
    <PageHead title={words.pages.home} />
    <div class="cards even">
      <Health everyMs={refreshMs} />
      <Nodes everyMs={refreshMs} />
      {mayDo('admin.players.read') && <WhoIsOn everyMs={refreshMs} />}
      {mayDo('admin.sanctions.read') && <OpenReports everyMs={refreshMs} />}
      {mayDo('admin.metrics.read') && <Load everyMs={refreshMs} />}
      {mayDo('admin.audit.read') && <Changes />}
    </div>
  </>
)
