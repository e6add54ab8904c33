import { Field } from '../parts/field.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { call } from '../state/api.ts'
import type { PageQuery } from '../state/pager.ts'
import { go, linkTo, route } from '../state/route.ts'
import { words } from '../words.ts'
import { AuditTable } from './audit-table.tsx'
import type { AuditEntry } from './undo-button.tsx'

type Filters = Readonly<Record<string, string>>

const ask = async (filters: Filters, page: PageQuery, signal: AbortSignal) => {
  const query = { ...page, ...filters }
  const { entries, nextCursor } = (await call('GET /api/admin/audit', { query, signal })).body
  return { items: entries, nextCursor }
}

const filterNames = ['actor', 'target', 'requestId'] as const

/** Everything that was changed, newest first. */
export const AuditPage = () => {
  const { query } = route.value
  /** The filters as typed. A space at the end may begin another word, so it is not trimmed. */
  const typed: Filters = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']))
  const filters: Filters = Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
  const setFilter = (name: string) => (text: string) => {
    // Another filter may have changed in the meantime.
    const now = Object.fromEntries(filterNames.map((one) => [one, route.peek().query.get(one) ?? '']))
    go(linkTo(['audit'], { ...now, [name]: text }), true)
  }
  return (
    <>
      <PageHead title={words.pages.audit} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label={words.audit.filterActor} hint={words.audit.filterActorHint}>
          <SearchField value={typed.actor ?? ''} maxLength={254} change={setFilter('actor')} />
        </Field>
        <Field label={words.audit.filterTarget} hint={words.audit.filterTargetHint}>
          <SearchField value={typed.target ?? ''} maxLength={254} change={setFilter('target')} />
        </Field>
        <Field label={words.audit.filterRequest}>
          <SearchField value={typed.requestId ?? ''} maxLength={254} change={setFilter('requestId')} />
        </Field>
      </form>
      <PagedList<AuditEntry>
        ask={(page, signal) => ask(filters, page, signal)}
        keys={[filters.actor, filters.target, filters.requestId]}
      >
        {(entries, { reload }) => <AuditTable entries={entries} changed={reload} />}
      </PagedList>
    </>
  )
}
