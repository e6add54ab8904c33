import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Person } from '../parts/person.tsx'
import { Time } from '../parts/time.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { readUntil, UntilField } from '../parts/until-field.tsx'
import { findEmail } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Page = Answer<'GET /api/admin/sanctions'>['body']
type Sanction = Page['sanctions'][number] & Pick<Page, 'names'>

const kinds = ['mute', 'warning', 'ban'] as const

const isAddress = (text: string): boolean => text.includes(':') || /^[\d./]+$/.test(text)

/** The account or the addresses to sanction. A display name is looked up. */
const readWhom = async (text: string): Promise<{ readonly address: string } | { readonly email: string }> => {
  if (isAddress(text)) return { address: text }
  return { email: text.includes('@') ? text : await findEmail(text) }
}

/** Bans, mutes or warns an account; without an email, a player or an address to enter. */
export const ImposeDialog = ({
  email,
  kind: first = 'mute',
  close,
}: {
  readonly email: string | undefined
  readonly kind?: (typeof kinds)[number]
  readonly close: () => void
}) => {
  const [kind, setKind] = useState(first)
  const submit = async (fields: FormData): Promise<void> => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const whom = email === undefined ? await readWhom(text('whom')) : { email }
    const note = text('note')
    const body = { kind, ...whom, reason: text('reason'), ...(note !== '' && { note }), ...readUntil(fields) }
    tellDone(words.sanctions.imposed, await call('POST /api/admin/sanctions', { body }))
  }
  return (
    <FormDialog title={words.sanctions.impose} action={words.sanctions.act[kind]} isBad close={close} submit={submit}>
      {email === undefined && (
        <Field label={words.sanctions.whomField} hint={words.sanctions.address}>
          <input name="whom" required maxLength={254} autocomplete="off" />
        </Field>
      )}
      <Field label={words.sanctions.kind}>
        <select value={kind} onChange={({ currentTarget: { value } }) => setKind(kinds.find((one) => one === value) ?? 'mute')}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {words.sanctions[one]}
            </option>
          ))}
        </select>
      </Field>
      {kind !== 'warning' && <UntilField label={words.sanctions.forHowLong} />}
      <Field label={words.sanctions.reason}>
        <input name="reason" required maxLength={500} autocomplete="off" />
      </Field>
      <Field label={words.sanctions.note}>
        <textarea name="note" rows={2} maxLength={2000} />
      </Field>
    </FormDialog>
  )
}

const isOver = ({ until, endedAt }: Sanction): boolean =>
  endedAt !== undefined || (until !== undefined && Date.parse(until) <= Date.now())

/** When the sanction ends, or when and by whom it was lifted. */
const End = ({ of: { until, endedAt, endedBy, names } }: { readonly of: Sanction }) => {
  if (endedAt !== undefined)
    return (
      <>
        <span class="badge">{words.sanctions.ended}</span> <Time at={endedAt} />{' '}
        {endedBy !== undefined && <Person email={endedBy} names={names} />}
      </>
    )
  return until === undefined ? <span>{words.until.forever}</span> : <Time at={until} />
}

const createColumns = (end: (sanction: Sanction) => void, isOfOne: boolean): readonly Column<Sanction>[] => [
  { head: words.sanctions.kind, cell: ({ kind }) => words.sanctions[kind] },
  ...(isOfOne
    ? []
    : [
        {
          head: words.sanctions.whom,
          isLong: true,
          cell: ({ email, address, names }: Sanction) =>
            email === undefined ? <bdi>{address}</bdi> : <Person email={email} names={names} isLink />,
        },
      ]),
  { head: words.sanctions.reasonHead, cell: ({ reason }) => <bdi>{reason}</bdi>, isLong: true },
  {
    head: words.sanctions.at,
    isLong: true,
    cell: ({ at, by, names }) => (
      <>
        <Time at={at} /> <Person email={by} names={names} />
      </>
    ),
  },
  { head: words.sanctions.until, cell: (sanction) => <End of={sanction} /> },
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
  changed = () => undefined,
}: {
  readonly email?: string
  /** Called after a sanction is added or lifted here. */
  readonly changed?: () => void
}) => {
  const [isOpen, setOpen] = useState(false)
  const [ending, setEnding] = useState<Sanction>()
  const [isAll, setAll] = useState(false)
  const [turn, setTurn] = useState(0)
  const close = () => {
    setOpen(false)
    setEnding(undefined)
    setTurn(turn + 1)
    changed()
  }
  return (
    <section class="card wide-card">
      <header class="card-head">
        <h2>{words.sanctions.title}</h2>
        {mayDo('admin.sanctions.write') && (
          <button type="button" onClick={() => setOpen(true)}>
            {words.sanctions.impose}
          </button>
        )}
      </header>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} /> {words.sanctions.all}
      </label>
      <PagedList<Sanction>
        keys={[email, isAll]}
        turn={turn}
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
        {(sanctions) => (
          <DataTable
            columns={createColumns(setEnding, email !== undefined)}
            rows={sanctions}
            keyOf={({ id }) => id}
            empty={words.sanctions.none}
          />
        )}
      </PagedList>
      {isOpen && <ImposeDialog email={email} close={close} />}
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
