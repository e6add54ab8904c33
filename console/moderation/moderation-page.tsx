import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ChatBox } from '../live/chat-box.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { SanctionList } from './sanction-list.tsx'

type Report = Answer<'GET /api/admin/reports'>['body']['reports'][number]

const refreshMs = 10_000

const ReportCard = ({ report, close }: { readonly report: Report; readonly close: () => void }) => {
  const { by, about, at, text, place, lastChat } = report
  return (
    <article class="card">
      <header class="card-head">
        <h3>{about === undefined ? by : <a href={linkTo(['people', about])}>{about}</a>}</h3>
        {mayDo('admin.sanctions.write') && (
          <button type="button" onClick={close}>
            {words.moderation.close}
          </button>
        )}
      </header>
      <p>{text}</p>
      <p class="quiet">
        {words.moderation.from} {by}, <Time at={at} /> · {place.world} {Math.floor(place.x)} {Math.floor(place.y)}{' '}
        {Math.floor(place.z)}
      </p>
      {lastChat.length > 0 && (
        <details>
          <summary>{words.moderation.lastChat}</summary>
          <ul class="plain-list">
            {lastChat.map((line, at) => (
              <li key={`${at} ${line.from}`}>
                <strong>{line.from}</strong> {line.text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  )
}

/** What players reported, and who may not do what at this moment. */
export const ModerationPage = () => {
  const [closing, setClosing] = useState<Report>()
  const reports = useLoad(
    async (signal) => (await call('GET /api/admin/reports', { query: { state: 'open', limit: 50 }, signal })).body.reports,
    [],
  )
  useEvery(refreshMs, reports.reload)
  const close = () => {
    setClosing(undefined)
    reports.reload()
  }
  return (
    <>
      <PageHead title={words.pages.moderation} />
      <section>
        <h2>{words.moderation.reports}</h2>
        <Loading of={reports}>
          {(open) =>
            open.length === 0 ? (
              <p class="quiet">{words.moderation.noReports}</p>
            ) : (
              <div class="cards">
                {open.map((report) => (
                  <ReportCard key={report.id} report={report} close={() => setClosing(report)} />
                ))}
              </div>
            )
          }
        </Loading>
      </section>
      <div class="cards spaced">
        <SanctionList />
        <section class="card wide-card">
          <h2>{words.live.chat}</h2>
          <ChatBox />
        </section>
      </div>
      {closing !== undefined && (
        <FormDialog
          title={words.moderation.closeTitle}
          action={words.moderation.close}
          close={close}
          submit={async (fields) => {
            const note = String(fields.get('note')).trim()
            const body = { state: 'closed' as const, ...(note !== '' && { note }) }
            await call('PUT /api/admin/reports/{id}', { params: { id: closing.id }, body })
            tell(words.moderation.closed)
          }}
        >
          <p>{closing.text}</p>
          <Field label={words.moderation.note}>
            <textarea name="note" rows={3} maxLength={2000} />
          </Field>
        </FormDialog>
      )}
    </>
  )
}
