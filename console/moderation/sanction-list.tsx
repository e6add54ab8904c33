import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FilterChips } from '../parts/filter-chips.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { Person } from './person.tsx'

type Page = Answer<'GET /api/admin/sanctions'>['body']
type Sanction = Page['sanctions'][number] & Pick<Page, 'names'>

const sanctionKinds = ['ban', 'mute', 'warning'] as const

const isOver = ({ until, endedAt }: Sanction): boolean =>
  endedAt !== undefined || (until !== undefined && Date.parse(until) <= Date.now())

/** A warning has no effect that could end. */
const tellNoEnd = (kind: Sanction['kind']): string => (kind === 'warning' ? words.unknown : words.until.forever)

/** When the sanction ends, or when and by whom it was lifted. */
const End = ({ of: { kind, until, endedAt, endedBy, names } }: { readonly of: Sanction }) => {
  if (endedAt !== undefined)
    return (
      <>
        <span class="badge">{words.sanctions.ended}</span> <Time at={endedAt} />{' '}
        {endedBy !== undefined && <Person email={endedBy} names={names} />}
      </>
    )
  return until === undefined ? <span>{tellNoEnd(kind)}</span> : <Time at={until} />
}

const looks = { ban: 'bad', mute: 'warn', warning: '' } as const

const createColumns = (end: (sanction: Sanction) => void, isOfOne: boolean): readonly Column<Sanction>[] => [
  {
    head: words.sanctions.kind,
    sort: ({ kind }) => words.sanctions[kind],
    text: ({ kind }) => words.sanctions[kind],
    cell: ({ kind }) => <span class={`badge ${looks[kind]}`}>{words.sanctions[kind]}</span>,
  },
  ...(isOfOne
    ? []
    : [
        {
          head: words.sanctions.whom,
          isLong: true,
          sort: ({ email, address = '', names }: Sanction) => (email === undefined ? address : (names[email] ?? email)),
          text: ({ email, address = '' }: Sanction) => email ?? address,
          cell: ({ email, address, names }: Sanction) =>
            email === undefined ? <bdi>{address}</bdi> : <Person email={email} names={names} isLink />,
        },
      ]),
  { head: words.sanctions.reasonHead, text: ({ reason }) => reason, cell: ({ reason }) => <bdi>{reason}</bdi>, isLong: true },
  {
    head: words.sanctions.at,
    isLong: true,
    sort: ({ at }) => at,
    text: ({ at, by }) => `${at} ${words.sanctions.by} ${by}`,
    cell: ({ at, by, names }) => (
      <>
        <Time at={at} /> {words.sanctions.by} <Person email={by} names={names} />
      </>
    ),
  },
  {
    head: words.sanctions.until,
    sort: ({ endedAt, until = '' }) => endedAt ?? until,
    text: ({ kind, endedAt, until }) => endedAt ?? until ?? tellNoEnd(kind),
    cell: (sanction) => <End of={sanction} />,
  },
  ...(mayDo('admin.sanctions.write')
    ? [
        {
          head: words.players.actions,
          cell: (sanction: Sanction) =>
            isOver(sanction) ? null : (
              <button type="button" onClick={() => end(sanction)}>
                {words.sanctions.end}
              </button>
            ),
        },
      ]
    : []),
]

/** Active sanctions of one account or of all. */
export const SanctionList = ({
  email,
  changes = 0,
  changed = () => undefined,
}: {
  readonly email?: string
  /** The number of changes by the page around it. Each reloads the list. */
  readonly changes?: number
  /** Called after a sanction is lifted here. */
  readonly changed?: () => void
}) => {
  const [ending, setEnding] = useState<Sanction>()
  const [isAll, setAll] = useState(false)
  const [kinds, setKinds] = useState<ReadonlySet<string>>(new Set())
  const [turn, setTurn] = useState(0)
  const close = () => {
    setEnding(undefined)
    setTurn(turn + 1)
    changed()
  }
  return (
    <section class="card wide-card">
      <header class="card-head">
        <h2>{words.sanctions.title}</h2>
      </header>
      <div class="toolbar">
        {email === undefined && (
          <FilterChips
            label={words.sanctions.kinds}
            chips={sanctionKinds.map((name) => ({ name, label: words.sanctions[name] }))}
            on={kinds}
            change={setKinds}
          />
        )}
        <label class="check">
          <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} /> {words.sanctions.all}
        </label>
      </div>
      <PagedList<Sanction>
        keys={[email, isAll]}
        wantsAll={kinds.size > 0}
        turn={turn + changes}
        ask={async (page, signal) => {
          const query = {
            ...page,
            ...(email !== undefined && { email }),
            ...(!isAll && { active: true }),
          }
          const { sanctions, names, nextCursor } = (await call('GET /api/admin/sanctions', { query, signal })).body
          return { items: sanctions.map((sanction) => ({ ...sanction, names })), nextCursor }
        }}
      >
        {(sanctions, { loadAll, isWhole }) => (
          <DataTable
            columns={createColumns(setEnding, email !== undefined)}
            rows={kinds.size === 0 ? sanctions : sanctions.filter(({ kind }) => kinds.has(kind))}
            keyOf={({ id }) => id}
            sorted={loadAll}
            counted={(count) => words.sanctions.counted(count, isWhole)}
            csvName="sanctions"
            empty={
              <EmptyState
                icon="check"
                text={words.sanctions[email !== undefined ? 'noneOfOne' : kinds.size > 0 ? 'noneOfKind' : 'none']}
              />
            }
          />
        )}
      </PagedList>
      {ending !== undefined && (
        <FormDialog
          title={words.sanctions.end}
          action={words.sanctions.end}
          close={close}
          submit={async () => {
            tellDone(words.sanctions.isEnded, await call('DELETE /api/admin/sanctions/{id}', { params: { id: ending.id } }))
          }}
        >
          <p>
            {words.sanctions[ending.kind]}:{' '}
            {ending.email === undefined ? <bdi>{ending.address}</bdi> : <Person email={ending.email} names={ending.names} />} ·{' '}
            <bdi>{ending.reason}</bdi>
          </p>
        </FormDialog>
      )}
    </section>
  )
}
