import { describeEntry, learnThings } from '../audit/describe-entry.tsx'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { words } from '../words.ts'

const refreshMs = 5000

/** The newest audit entries, as sentences. */
export const Activity = () => {
  const changes = useLoad(async (signal) => {
    const { body } = await call('GET /api/admin/audit', { query: { limit: 10 }, signal })
    await learnThings(body.entries, signal)
    return body
  }, [])
  useEvery(refreshMs, changes.refresh)
  return (
    <section class="card">
      <header class="card-head">
        <h2>{words.home.changes}</h2>
        <a href={linkTo(['audit'])}>{words.home.allChanges}</a>
      </header>
      <Loading of={changes}>
        {({ entries }) => (
          <ul class="activity">
            {entries.map((entry) => (
              <li key={entry.id}>
                <span>{describeEntry(entry)}</span>
                <small class="quiet">
                  <Time at={entry.at} />
                </small>
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </section>
  )
}
