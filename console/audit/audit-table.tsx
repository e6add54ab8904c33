import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { NameCard } from '../moderation/name-card.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ExportCsv } from '../parts/export-csv.tsx'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import type { AskPage } from '../state/pager.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { describeChange, learnThings, tellChange } from './describe-entry.tsx'
import { Difference } from './difference.tsx'
import { findThing } from './find-thing.ts'
import { type AuditEntry, UndoButton } from './undo-button.tsx'

/** An entry in full, with undo. Lists cut long values, so the entry is read again. */
const Sides = ({ entry, done }: { readonly entry: AuditEntry; readonly done: () => void }) => {
  const { id, cut } = entry
  const whole = useLoad(
    async (signal) => (cut === undefined ? entry : (await call('GET /api/admin/audit/{id}', { params: { id }, signal })).body),
    [id],
  )
  return (
    <Loading of={whole}>
      {(told) => (
        <>
          <Difference before={told.before} after={told.after} />
          {told.more?.map(({ at, requestId, target, before, after }) => (
            <section key={`${at} ${requestId} ${target ?? ''}`}>
              <h3>
                <Time at={at} exact /> · <bdi>{target ?? told.target}</bdi>
              </h3>
              <Difference before={before} after={after} />
            </section>
          ))}
          <footer>
            <UndoButton entry={told} done={done} />
          </footer>
        </>
      )}
    </Loading>
  )
}

/** The changed thing, with a link to its page. */
const Target = ({ entry, left }: { readonly entry: AuditEntry; readonly left?: () => void }) => {
  const address = findThing(entry)
  if (address === undefined) return <bdi>{entry.target}</bdi>
  return (
    <a href={address} onClick={left}>
      <bdi>{entry.target}</bdi>
    </a>
  )
}

const Details = ({
  entry,
  close,
  changed,
}: {
  readonly entry: AuditEntry
  readonly close: () => void
  readonly changed: () => void
}) => (
  <Dialog title={words.audit.show(entry.action)} close={close} wide>
    <dl class="facts">
      <dt>{words.audit.at}</dt>
      <dd>
        <Time at={entry.at} exact />
      </dd>
      <dt>{words.audit.actor}</dt>
      <dd>
        <bdi>{entry.actor}</bdi>
      </dd>
      <dt>{words.audit.target}</dt>
      <dd>
        <Target entry={entry} left={close} />
      </dd>
      <dt>{words.audit.via}</dt>
      <dd>{entry.via}</dd>
      <dt>{words.audit.request}</dt>
      <dd>
        <a href={linkTo(['audit'], { requestId: entry.requestId })} onClick={close}>
          <code>{entry.requestId}</code>
        </a>
      </dd>
      {entry.undoes !== undefined && (
        <>
          <dt>{words.audit.undoes}</dt>
          <dd>
            <code>{entry.undoes}</code>
          </dd>
        </>
      )}
    </dl>
    <Sides
      entry={entry}
      done={() => {
        close()
        changed()
      }}
    />
  </Dialog>
)

const exported = [
  { head: words.audit.at, text: ({ at }: AuditEntry) => at },
  { head: words.audit.actor, text: ({ actor }: AuditEntry) => actor },
  { head: words.audit.change, text: tellChange },
  { head: words.audit.details, text: ({ action }: AuditEntry) => action },
  { head: words.audit.target, text: ({ target }: AuditEntry) => target },
  { head: words.audit.via, text: ({ via }: AuditEntry) => via },
  { head: words.audit.filterRequest, text: ({ requestId }: AuditEntry) => requestId },
]

/** Saves the entries of a list as CSV. */
export const AuditExport = ({ ask }: { readonly ask: AskPage<AuditEntry> }) => (
  <ExportCsv name="audit-log" columns={exported} ask={ask} />
)

/** Audit entries with actor, target, and the values before and after. */
export const AuditTable = ({
  entries,
  changed = () => undefined,
  counted,
  foot,
}: {
  readonly entries: readonly AuditEntry[]
  /** Called after an undo. */
  readonly changed?: () => void
  readonly counted?: (count: number) => string
  readonly foot?: ComponentChildren
}) => {
  const [shown, setShown] = useState<AuditEntry>()
  useLoad((signal) => learnThings(entries, signal), [entries.map(({ id }) => id).join()])
  const columns: readonly Column<AuditEntry>[] = [
    { head: words.audit.at, cell: ({ at }) => <Time at={at} /> },
    {
      head: words.audit.actor,
      cell: ({ actor }) =>
        actor.includes('@') && mayDo('admin.users.read') ? <NameCard email={actor} displayName={actor} /> : <bdi>{actor}</bdi>,
      isLong: true,
    },
    { head: words.audit.change, cell: (entry) => <span class="sentence">{describeChange(entry)}</span>, isLong: true },
    {
      head: words.audit.details,
      cell: (entry) => (
        <button type="button" class="link" onClick={() => setShown(entry)}>
          {entry.action}
        </button>
      ),
    },
    { head: words.audit.via, cell: ({ via }) => via },
  ]
  return (
    <>
      <DataTable
        columns={columns}
        rows={entries}
        keyOf={({ id }) => id}
        empty={words.audit.nothing}
        {...(counted !== undefined && { counted })}
        foot={foot}
      />
      {shown !== undefined && <Details entry={shown} close={() => setShown(undefined)} changed={changed} />}
    </>
  )
}
