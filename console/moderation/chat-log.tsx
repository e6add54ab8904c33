import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { ExportCsv } from '../parts/export-csv.tsx'
import { Field } from '../parts/field.tsx'
import { InstantField, readInstant } from '../parts/instant-field.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import type { AskPage } from '../state/pager.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { NameCard } from './name-card.tsx'

type Page = Answer<'GET /api/admin/chat'>['body']
type Line = Page['lines'][number]

const filterNames = ['q', 'player', 'from', 'to'] as const
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>

const beforeMs = 10 * 60_000
const afterMs = 2 * 60_000

/** The address of the chat around a time. */
export const linkToChatAt = (at: string): string => {
  const from = new Date(Date.parse(at) - beforeMs).toISOString()
  return linkTo(['moderation', 'chat'], { from, to: new Date(Date.parse(at) + afterMs).toISOString() })
}

const readFilters = (query: URLSearchParams): Filters =>
  Object.fromEntries(filterNames.flatMap((name) => (query.get(name)?.trim() ? [[name, query.get(name) ?? '']] : [])))

const trimmed = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).map(([name, text]) => [name, text.trim()]))

const columns = [
  { head: words.moderation.at, text: (line: Line) => line.at },
  { head: words.players.world, text: (line: Line) => line.world },
  { head: words.chatLog.channel, text: (line: Line) => line.channel },
  { head: words.chatLog.player, text: (line: Line) => line.from },
  { head: words.people.playerId, text: (line: Line) => line.by ?? '' },
  { head: words.chatLog.text, text: (line: Line) => line.text },
]

/** Stored chat with a search by text, player and time. The filters are part of the address. */
export const ChatLog = () => {
  const [isOff, setIsOff] = useState(false)
  const section = useRef<HTMLElement>(null)
  const filters = readFilters(route.value.query)
  const change = (changed: Readonly<Record<string, string | undefined>>) =>
    // Another filter may have changed in the meantime.
    go(linkTo(['moderation', 'chat'], { ...readFilters(route.peek().query), ...changed }), true)
  const ask: AskPage<Line> = async (page, signal) => {
    const query = { ...trimmed(filters), ...page }
    const { lines, keepDays, nextCursor } = (await call('GET /api/admin/chat', { query, signal })).body
    setIsOff(keepDays === 0)
    return { items: lines, nextCursor }
  }
  useEffect(() => {
    // A report or a name leads here by the address.
    const element = section.current
    if (Object.keys(filters).length > 0 && element?.contains(document.activeElement) === false) element.scrollIntoView()
  }, [filters.from, filters.to, filters.player])
  const hasField = filters.player !== undefined || filters.from !== undefined || filters.to !== undefined
  // A field stays visible after its text is deleted.
  const [isOpen, setOpen] = useState(hasField)
  useEffect(() => {
    if (hasField) setOpen(true)
  }, [hasField])
  const changeTimes = (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const [from, to] = [readInstant(fields, 'from', filters.from), readInstant(fields, 'to', filters.to)]
    if (from !== filters.from || to !== filters.to) change({ from, to })
  }
  return (
    <section ref={section} class="card">
      <header class="card-head">
        <h2>{words.chatLog.title}</h2>
        <ExportCsv name="chat" columns={columns} ask={ask} />
      </header>
      <search>
        <div class="toolbar">
          <SearchField label={words.chatLog.find} value={filters.q ?? ''} maxLength={100} change={(q) => change({ q })} />
          {Object.keys(filters).length > 0 && (
            <button type="button" class="quiet-button" onClick={() => go(linkTo(['moderation', 'chat']), true)}>
              {words.exports.clearFilters}
            </button>
          )}
        </div>
        <details class="fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{words.chatLog.more}</summary>
          <form
            class="filters"
            onSubmit={(event) => event.preventDefault()}
            onChange={({ currentTarget }) => changeTimes(currentTarget)}
          >
            <Field label={words.chatLog.player} hint={words.chatLog.playerHint}>
              <SearchField value={filters.player ?? ''} maxLength={254} change={(player) => change({ player })} />
            </Field>
            <InstantField key={`from ${filters.from}`} name="from" label={words.chatLog.from} at={filters.from} />
            <InstantField key={`to ${filters.to}`} name="to" label={words.chatLog.to} at={filters.to} />
          </form>
        </details>
      </search>
      <PagedList<Line> size={50} keys={filterNames.map((name) => filters[name]?.trim())} ask={ask}>
        {(lines, { isWhole }) =>
          lines.length === 0 && isWhole ? (
            <EmptyState
              icon="search"
              text={isOff ? words.chatLog.off : Object.keys(filters).length > 0 ? words.chatLog.none : words.chatLog.empty}
            />
          ) : (
            <ul class="plain-list chat-lines">
              {lines.map(({ at, from, by, text, world }, index) => (
                <li key={`${at} ${by} ${index}`}>
                  {mayDo('admin.users.read') && by !== undefined ? (
                    <NameCard email={undefined} playerId={by} displayName={from} />
                  ) : (
                    <strong>
                      <bdi>{from}</bdi>
                    </strong>
                  )}{' '}
                  <small class="quiet">
                    <Time at={at} /> · <bdi>{world}</bdi>
                  </small>
                  <p>
                    <bdi>{text}</bdi>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </PagedList>
    </section>
  )
}
