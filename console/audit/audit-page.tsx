import { useEffect, useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { FilterChips } from '../parts/filter-chips.tsx'
import { InstantField, readInstant } from '../parts/instant-field.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import type { AskPage } from '../state/pager.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { AuditExport, AuditTable } from './audit-table.tsx'
import { learnThings } from './describe-entry.tsx'
import { NameField } from './name-field.tsx'
import type { AuditEntry } from './undo-button.tsx'

const filterNames = ['q', 'last', 'from', 'to', 'actor', 'target', 'requestId'] as const
/** The filters that are fields. */
const fieldNames = ['from', 'to', 'actor', 'target', 'requestId'] as const
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>

const hourMs = 3_600_000
/** The recent times that one click selects. */
const recent = { '1h': hourMs, '1d': 24 * hourMs, '7d': 7 * 24 * hourMs, '30d': 30 * 24 * hourMs } as const
const recentNames = Object.keys(recent) as (keyof typeof recent)[]

const readFilters = (query: URLSearchParams): Filters =>
  Object.fromEntries(filterNames.flatMap((name) => (query.get(name)?.trim() ? [[name, query.get(name) ?? '']] : [])))

/** The query of the filters. A recent time ends now. */
const queryOf = ({ last, ...filters }: Filters): Omit<Filters, 'last'> => {
  const name = recentNames.find((one) => one === last)
  const query = Object.fromEntries(Object.entries(filters).map(([key, text]) => [key, text.trim()]))
  return name === undefined ? query : { ...query, from: new Date(Date.now() - recent[name]).toISOString() }
}

/** Reads until an entry matches: a search may answer empty pages before older matches. */
const askFor =
  (filters: Filters): AskPage<AuditEntry> =>
  async (page, signal) => {
    const query = { ...page, ...queryOf(filters) }
    for (;;) {
      const { entries, nextCursor } = (await call('GET /api/admin/audit', { query, signal })).body
      if (entries.length > 0 || nextCursor === undefined) {
        await learnThings(entries, signal)
        return { items: entries, nextCursor }
      }
      query.cursor = nextCursor
    }
  }

const change = (changed: Readonly<Record<string, string | undefined>>) =>
  // Another filter may have changed in the meantime.
  go(linkTo(['audit'], { ...readFilters(route.peek().query), ...changed }), true)

const changeTimes = (form: HTMLFormElement, { from, to }: Filters) => {
  const fields = new FormData(form)
  const times = { from: readInstant(fields, 'from', from), to: readInstant(fields, 'to', to) }
  if (times.from !== from || times.to !== to) change({ ...times, last: undefined })
}

const listFiles = async (signal: AbortSignal) =>
  mayDo('admin.configs.read')
    ? (await call('GET /api/admin/configs', { signal })).body.map((name) => ({ value: name, label: words.pages.configs }))
    : []
const operators = [{ value: 'operator', label: words.audit.operator }]

/** Everything that was changed, newest first. The filters are part of the address. */
export const AuditPage = () => {
  /** The filters as typed. A space at the end may begin another word, so it is not trimmed. */
  const filters = readFilters(route.value.query)
  const ask = askFor(filters)
  const files = useLoad(listFiles, [])
  const hasField = fieldNames.some((name) => filters[name] !== undefined)
  // A field stays visible after its text is deleted.
  const [isOpen, setOpen] = useState(hasField)
  useEffect(() => {
    if (hasField) setOpen(true)
  }, [hasField])
  return (
    <>
      <PageHead title={words.pages.audit} />
      <search>
        <div class="toolbar">
          <SearchField label={words.audit.search} value={filters.q ?? ''} maxLength={100} change={(q) => change({ q })} />
          <FilterChips
            label={words.audit.recent}
            chips={recentNames.map((name) => ({ name, label: words.audit.lasts[name] }))}
            on={new Set([filters.last ?? ''])}
            change={(on) => change({ last: [...on].find((one) => one !== (filters.last ?? '')), from: undefined, to: undefined })}
          />
          {Object.keys(filters).length > 0 && (
            <button type="button" class="quiet-button" onClick={() => go(linkTo(['audit']), true)}>
              {words.exports.clearFilters}
            </button>
          )}
        </div>
        <details class="fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{words.audit.moreFilters}</summary>
          <form
            class="filters"
            onSubmit={(event) => event.preventDefault()}
            onChange={({ currentTarget }) => changeTimes(currentTarget, filters)}
          >
            <InstantField key={`from ${filters.from}`} name="from" label={words.audit.from} at={filters.from} />
            <InstantField key={`to ${filters.to}`} name="to" label={words.audit.to} at={filters.to} />
            <NameField
              label={words.audit.filterActor}
              hint={words.audit.filterActorHint}
              value={filters.actor ?? ''}
              change={(actor) => change({ actor })}
              others={operators}
            />
            <NameField
              label={words.audit.filterTarget}
              hint={words.audit.filterTargetHint}
              value={filters.target ?? ''}
              change={(target) => change({ target })}
              others={files.value ?? []}
            />
            <Field label={words.audit.filterRequest} hint={words.audit.filterRequestHint}>
              <SearchField value={filters.requestId ?? ''} maxLength={254} change={(requestId) => change({ requestId })} />
            </Field>
          </form>
        </details>
      </search>
      <PagedList<AuditEntry> ask={ask} keys={filterNames.map((name) => filters[name]?.trim())}>
        {(entries, { reload, isWhole }) => (
          <AuditTable
            entries={entries}
            changed={reload}
            counted={(count) => words.audit.counted(count, isWhole)}
            foot={<AuditExport ask={ask} />}
          />
        )}
      </PagedList>
    </>
  )
}
