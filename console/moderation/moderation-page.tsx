import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ChatBox } from '../live/chat-box.tsx'
import { downloadText } from '../parts/csv.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { ChatLog, linkToChatAt } from './chat-log.tsx'
import { findKind, ImposeDialog } from './impose-dialog.tsx'
import { Person } from './person.tsx'
import { SanctionList } from './sanction-list.tsx'

type Page = Answer<'GET /api/admin/reports'>['body']
type Report = Page['reports'][number] & Pick<Page, 'names'>

const refreshMs = 10_000

const CloseDialog = ({ report, close }: { readonly report: Report; readonly close: () => void }) => (
  <FormDialog
    title={words.moderation.closeTitle}
    action={words.moderation.close}
    close={close}
    submit={async (fields) => {
      const note = String(fields.get('note')).trim()
      const body = { state: 'closed' as const, ...(note !== '' && { note }) }
      await call('PUT /api/admin/reports/{id}', { params: { id: report.id }, body })
      tell(words.moderation.closed)
    }}
  >
    <p>
      <bdi>{report.text}</bdi>
    </p>
    <Field label={words.moderation.note}>
      <textarea name="note" rows={3} maxLength={2000} />
    </Field>
  </FormDialog>
)

/** Saves a report with its chat as a text file. */
const exportReport = ({ id, by, about, at, text, place, lastChat, note }: Report): void => {
  const head = [
    [words.moderation.at, at],
    [words.moderation.from, by],
    [words.sanctions.whom, about ?? words.none],
    [words.why.place, `${place.world} ${Math.floor(place.x)} ${Math.floor(place.y)} ${Math.floor(place.z)}`],
    [words.moderation.note, note ?? words.none],
  ]
  const chat = lastChat.map(({ from, text: line }) => `${from}: ${line}`)
  const content = [...head.map(([name, value]) => `${name}: ${value}`), '', text, '', words.moderation.lastChat, ...chat, '']
  downloadText(`report-${id}.txt`, 'text/plain', content.join('\n'))
}

const ReportCard = ({ report, close }: { readonly report: Report; readonly close: () => void }) => {
  const { by, about, at, text, place, lastChat, state, note, closedBy, names } = report
  return (
    <article class="card">
      <header class="card-head">
        <h3>
          <Person email={about ?? by} names={names} isLink={about !== undefined} />
        </h3>
        <span class="actions">
          <a class="button quiet-button" href={linkToChatAt(at)}>
            {words.chatLog.at}
          </a>
          <button type="button" class="quiet-button" onClick={() => exportReport(report)}>
            <Icon name="download" />
            {words.moderation.export}
          </button>
          {state === 'open' && mayDo('admin.sanctions.write') && (
            <button type="button" onClick={close}>
              {words.moderation.close}
            </button>
          )}
        </span>
      </header>
      <p>
        <bdi>{text}</bdi>
      </p>
      {state === 'closed' && (
        <p class="quiet">
          {words.moderation.closedBy} {closedBy !== undefined && <Person email={closedBy} names={names} />}
          {note !== undefined && (
            <>
              : <bdi>{note}</bdi>
            </>
          )}
        </p>
      )}
      <p class="quiet">
        {words.moderation.from} <Person email={by} names={names} isLink />, <Time at={at} /> · {place.world} {Math.floor(place.x)}{' '}
        {Math.floor(place.y)} {Math.floor(place.z)}
      </p>
      {lastChat.length > 0 && (
        <details>
          <summary>{words.moderation.lastChat}</summary>
          <ul class="plain-list">
            {lastChat.map((line, at) => (
              <li key={`${at} ${line.from}`}>
                <strong>
                  <bdi>{line.from}</bdi>
                </strong>{' '}
                <bdi>{line.text}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  )
}

const states = ['open', 'closed'] as const

/** Reports, live chat and active sanctions. */
export const ModerationPage = () => {
  const [closing, setClosing] = useState<Report>()
  const [state, setState] = useState<(typeof states)[number]>('open')
  const [turn, setTurn] = useState(0)
  const { query } = route.value
  // The search opens the dialog by the address.
  const imposed = findKind(query.get('impose'))
  const whom = query.get('whom') ?? ''
  const again = () => setTurn((last) => last + 1)
  const close = () => {
    setClosing(undefined)
    again()
  }
  return (
    <>
      <PageHead title={words.pages.moderation} />
      {imposed !== undefined && mayDo('admin.sanctions.write') && (
        <ImposeDialog
          key={`${imposed} ${whom}`}
          email={undefined}
          kind={imposed}
          whom={whom}
          close={() => {
            go(linkTo(['moderation']), true)
            again()
          }}
        />
      )}
      <section>
        <header class="card-head">
          <h2>{words.moderation.reports[state]}</h2>
          <button type="button" onClick={() => setState(state === 'open' ? 'closed' : 'open')}>
            {words.moderation.show[state]}
          </button>
        </header>
        <PagedList<Report>
          key={state}
          size={20}
          keys={[]}
          turn={turn}
          everyMs={refreshMs}
          ask={async (page, signal) => {
            const query = { state, ...page }
            const { reports, names, nextCursor } = (await call('GET /api/admin/reports', { query, signal })).body
            return { items: reports.map((report) => ({ ...report, names })), nextCursor }
          }}
        >
          {(reports) =>
            reports.length === 0 ? (
              <EmptyState icon="check" text={words.moderation.noReports} />
            ) : (
              <div class="cards">
                {reports.map((report) => (
                  <ReportCard key={report.id} report={report} close={() => setClosing(report)} />
                ))}
              </div>
            )
          }
        </PagedList>
      </section>
      <div class="cards spaced">
        <SanctionList />
        <ChatLog />
        <section class="card wide-card">
          <h2>{words.live.liveChat}</h2>
          <ChatBox hasSearch={false} />
        </section>
      </div>
      {closing !== undefined && <CloseDialog report={closing} close={close} />}
    </>
  )
}
