import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ChatBox } from '../live/chat-box.tsx'
import { downloadText } from '../parts/csv.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Field } from '../parts/field.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
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

/** Closes reports with one note. After a failure, those that are left can be closed again. */
const CloseDialog = ({
  reports,
  close,
  done,
}: {
  readonly reports: readonly Report[]
  readonly close: () => void
  readonly done: () => void
}) => (
  <FormDialog
    title={words.moderation.closeTitle(reports.length)}
    action={words.moderation.closeAct(reports.length)}
    close={close}
    done={done}
    submit={async (fields) => {
      const note = String(fields.get('note')).trim()
      const body = { state: 'closed' as const, ...(note !== '' && { note }) }
      for (const { id } of reports) await call('PUT /api/admin/reports/{id}', { params: { id }, body })
      tell(words.moderation.closed(reports.length))
    }}
  >
    <ul class="plain-list">
      {reports.map(({ id, text }) => (
        <li key={id}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
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

type CardProps = {
  readonly report: Report
  readonly close: () => void
  /** Absent if the report cannot be selected. */
  readonly toggle: (() => void) | undefined
  readonly isChosen: boolean
}

const ReportCard = ({ report, close, toggle, isChosen }: CardProps) => {
  const { by, about, at, text, place, lastChat, state, note, closedBy, names } = report
  const whom = about ?? by
  const name = names[whom] ?? whom
  return (
    <article class="card report">
      <header class="card-head">
        <h3 class="actions">
          {toggle !== undefined && (
            <input type="checkbox" aria-label={words.moderation.select(name)} checked={isChosen} onChange={toggle} />
          )}
          <Person email={whom} names={names} isLink={about !== undefined} />
        </h3>
        <Menu label={words.moderation.actionsOf(name)}>
          <MenuItem icon="console" href={linkToChatAt(at)}>
            {words.chatLog.at}
          </MenuItem>
          <MenuItem icon="download" act={() => exportReport(report)}>
            {words.moderation.export}
          </MenuItem>
        </Menu>
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
      {toggle !== undefined && (
        <p class="actions">
          <button type="button" onClick={close}>
            {words.moderation.close}
          </button>
        </p>
      )}
    </article>
  )
}

const states = ['open', 'closed'] as const

/** The reports of one state as cards. Open ones can be closed, several at once too. */
const Reports = ({ changed }: { readonly changed: () => void }) => {
  const [closing, setClosing] = useState<readonly Report[]>([])
  const [state, setState] = useState<(typeof states)[number]>('open')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [turn, setTurn] = useState(0)
  const mayClose = state === 'open' && mayDo('admin.sanctions.write')
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const close = () => {
    setClosing([])
    setTurn((last) => last + 1)
    changed()
  }
  return (
    <section>
      <header class="card-head">
        <h2>{words.moderation.reports[state]}</h2>
        <button
          type="button"
          onClick={() => {
            setState(state === 'open' ? 'closed' : 'open')
            setChosen(new Set())
          }}
        >
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
        {(reports) => {
          const selected = reports.filter(({ id }) => chosen.has(id))
          return reports.length === 0 ? (
            <EmptyState icon="check" text={words.moderation.noReports[state]} />
          ) : (
            <>
              {mayClose && reports.length > 1 && (
                <p class="actions">
                  <button
                    type="button"
                    class="link"
                    onClick={() => setChosen(new Set(selected.length === reports.length ? [] : reports.map(({ id }) => id)))}
                  >
                    {selected.length === reports.length ? words.table.clear : words.moderation.selectAll}
                  </button>
                </p>
              )}
              <div class="cards even">
                {reports.map((report) => (
                  <ReportCard
                    key={report.id}
                    report={report}
                    close={() => setClosing([report])}
                    toggle={mayClose ? () => toggle(report.id) : undefined}
                    isChosen={chosen.has(report.id)}
                  />
                ))}
              </div>
              {mayClose && selected.length > 0 && (
                // biome-ignore lint/a11y/useSemanticElements: the buttons are not a part of a form.
                <div class="bulk" role="group" aria-label={words.table.actions}>
                  <span role="status">{words.table.selected(selected.length)}</span>
                  <button type="button" onClick={() => setClosing(selected)}>
                    {words.moderation.closeSelected}
                  </button>
                </div>
              )}
            </>
          )
        }}
      </PagedList>
      {closing.length > 0 && (
        <CloseDialog
          reports={closing}
          close={close}
          done={() => {
            setChosen(new Set())
            close()
          }}
        />
      )}
    </section>
  )
}

const tabs = ['reports', 'sanctions', 'chat'] as const
/** More open reports are "50+". */
const countedMax = 50

const countOpen = async (signal: AbortSignal): Promise<number> => {
  const query = { state: 'open', limit: countedMax } as const
  return (await call('GET /api/admin/reports', { query, signal })).body.reports.length
}

/** Reports, sanctions and chat, each in a tab with an address of its own. */
export const ModerationPage = ({ tab }: { readonly tab: string | undefined }) => {
  const [isImposing, setImposing] = useState(false)
  const [turn, setTurn] = useState(0)
  const open = useLoad(countOpen, [])
  useEvery(refreshMs, open.refresh)
  const current = tabs.find((one) => one === tab) ?? 'reports'
  const { query } = route.value
  // The search opens the dialog by the address.
  const imposed = findKind(query.get('impose'))
  const whom = query.get('whom') ?? ''
  const mayImpose = mayDo('admin.sanctions.write')
  const close = () => {
    setImposing(false)
    if (imposed !== undefined) go(linkTo(['moderation', 'sanctions']), true)
    setTurn((last) => last + 1)
  }
  return (
    <>
      <PageHead title={words.pages.moderation}>
        {mayImpose && (
          <button type="button" class="main" onClick={() => setImposing(true)}>
            {words.sanctions.impose}
          </button>
        )}
      </PageHead>
      {mayImpose && (isImposing || imposed !== undefined) && (
        <ImposeDialog
          key={`${imposed} ${whom}`}
          email={undefined}
          {...(imposed !== undefined && { kind: imposed, whom })}
          close={close}
        />
      )}
      <Tabs
        label={words.moderation.parts}
        tabs={tabs.map((name) => ({
          name,
          label: words.moderation.tabs[name],
          href: linkTo(name === 'reports' ? ['moderation'] : ['moderation', name]),
          count:
            name === 'reports' && open.value ? words.moderation.openReports(open.value, open.value >= countedMax) : undefined,
        }))}
        current={current}
      />
      {current === 'reports' && <Reports changed={open.reload} />}
      {current === 'sanctions' && <SanctionList changes={turn} />}
      {current === 'chat' && (
        <div class="chats">
          <ChatLog />
          <section class="card">
            <h2>{words.live.liveChat}</h2>
            <ChatBox hasSearch={false} />
          </section>
        </div>
      )}
    </>
  )
}
