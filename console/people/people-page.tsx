import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { BanBadge, listBans } from '../moderation/ban-badge.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badges } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FilterChips } from '../parts/filter-chips.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { MenuItem } from '../parts/menu.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import type { PageQuery } from '../state/pager.ts'
import { go, linkTo, type Route, readRoute, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import type { BulkDialog } from './bulk-dialogs.tsx'
import type { ListedAccount as Account, Known } from './listed-account.ts'

const inactiveDays = 30
const dayMs = 86_400_000
const minuteMs = 60_000
const onlineMs = 10_000
const playersMax = 200

const filters = ['online', 'banned', 'inactive', 'open', 'twice'] as const
type Filter = (typeof filters)[number]

type Filters = { readonly q: string; readonly only: readonly string[] }

const readFilters = ({ query }: Route): Filters => ({
  q: query.get('q') ?? '',
  only: query.get('only')?.split(' ').filter(Boolean) ?? [],
})

/** Changes filters in the address, and keeps the others as they are there at this moment. */
const setFilters = (change: Partial<Filters>): void => {
  const { q, only } = { ...readFilters(route.peek()), ...change }
  go(linkTo(['people'], { q, only: only.join(' ') }), true)
}

const noPlayers: ReadonlySet<string> = new Set()

const ask = async (q: string, on: ReadonlySet<string>, page: PageQuery, signal: AbortSignal) => {
  const since = new Date(Math.floor(Date.now() / dayMs - inactiveDays) * dayMs).toISOString()
  const query = {
    ...page,
    ...(q !== '' && { q }),
    ...(on.has('inactive') && { inactiveSince: since }),
    ...(on.has('twice') && { sharesName: true }),
  }
  const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
  return { items: users, nextCursor }
}

/** The emails of the connected players; empty without the permission to read them. */
const findOnline = async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
  if (!mayDo('admin.players.read')) return new Set()
  const { players } = (await call('GET /api/admin/players', { query: { limit: playersMax }, signal })).body
  return new Set(players.map(({ email }) => email))
}

const narrow = (accounts: readonly Account[], on: ReadonlySet<string>, { bans, online }: Known): readonly Account[] => {
  if (on.size === 0) return accounts
  const passes: Readonly<Record<Filter, (account: Account) => boolean>> = {
    online: ({ email }) => online.has(email),
    banned: ({ email }) => bans?.has(email) ?? false,
    inactive: () => true,
    open: ({ hasPassword }) => !hasPassword,
    twice: () => true,
  }
  return accounts.filter((account) => filters.every((name) => !on.has(name) || passes[name](account)))
}

const createColumns = ({ bans, online }: Known): readonly Column<Account>[] => [
  {
    head: words.people.name,
    sort: ({ displayName }) => displayName,
    text: ({ displayName }) => displayName,
    cell: ({ email, displayName }) => (
      <span class="who">
        <Avatar name={displayName} isOnline={online.has(email)} />
        <span>
          <a href={linkTo(['people', email])}>
            <bdi>{displayName}</bdi>
          </a>{' '}
          {online.has(email) && <span class="sr-only">{words.people.filters.online}</span>}
          <BanBadge ban={bans?.get(email)} />
        </span>
      </span>
    ),
  },
  {
    head: words.people.email,
    sort: ({ email }) => email,
    text: ({ email }) => email,
    cell: ({ email }) => <bdi>{email}</bdi>,
    isLong: true,
  },
  {
    head: words.people.groups,
    sort: ({ groups }) => groups.join(' '),
    text: ({ groups }) => groups.join(' '),
    cell: ({ groups }) => <Badges names={groups} />,
  },
  {
    head: words.people.lastSeen,
    sort: ({ lastSeenAt }) => lastSeenAt ?? '',
    text: ({ lastSeenAt }) => lastSeenAt ?? '',
    cell: ({ email, lastSeenAt }) => {
      if (online.has(email)) return words.people.onlineNow
      return lastSeenAt === undefined ? <span class="quiet">{words.people.never}</span> : <Time at={lastSeenAt} />
    },
  },
  {
    head: words.people.created,
    sort: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

type Open =
  | 'add'
  | 'invite'
  | 'invitations'
  | { readonly alike: readonly Account[]; readonly known: Known; readonly done: () => void }
  | { readonly bulk: BulkDialog; readonly emails: readonly string[]; readonly done: () => void }

const dialogs = ['add', 'invite', 'invitations'] as const

const bulks: readonly { readonly bulk: BulkDialog; readonly permission: string; readonly isBad?: boolean }[] = [
  { bulk: 'group', permission: 'admin.users.write' },
  { bulk: 'ban', permission: 'admin.sanctions.write', isBad: true },
  { bulk: 'delete', permission: 'admin.users.write', isBad: true },
]

const emailOf = ({ email }: Account): string => email
const hrefOf = ({ email }: Account): string => linkTo(['people', email])
const menuLabel = ({ email }: Account): string => words.people.actionsFor(email)

type TableProps = {
  readonly accounts: readonly Account[]
  readonly known: Known
  readonly isWhole: boolean
  readonly loadAll: () => void
  readonly setOpen: (open: Open) => void
  /** Called after an action changed accounts. */
  readonly changed: () => void
}

/** The loaded accounts that match the filters. Typing in the search does not render its rows again. */
const AccountTable = ({ accounts, known, isWhole, loadAll, setOpen, changed }: TableProps) => {
  const { q, only } = readFilters(route.value)
  const { bans } = known
  // The list of connected players is a new one at each refresh, usually with the same players.
  const online = [...known.online].sort().join(' ')
  // The times of the cells are relative to now.
  const minute = Math.floor(Date.now() / minuteMs)
  const columns = useMemo(() => createColumns(known), [bans, online, minute])
  const rows = useMemo(() => narrow(accounts, new Set(only), known), [accounts, only.join(' '), bans, online])
  const mayAudit = mayDo('admin.audit.read')
  const allowed = bulks.filter(({ permission }) => mayDo(permission))
  const menu = useMemo(
    () =>
      ({ email }: Account) => (
        <>
          <MenuItem icon="account" href={linkTo(['people', email])}>
            {words.shell.account}
          </MenuItem>
          {mayAudit && (
            <MenuItem icon="audit" href={linkTo(['people', email], { tab: 'history' })}>
              {words.people.tabs.history}
            </MenuItem>
          )}
          {allowed.map(({ bulk, isBad = false }) => (
            <MenuItem key={bulk} isBad={isBad} act={() => setOpen({ bulk, emails: [email], done: changed })}>
              {words.people.bulk[bulk]}
            </MenuItem>
          ))}
        </>
      ),
    [mayAudit, allowed.map(({ bulk }) => bulk).join(' '), changed],
  )
  const isNarrow = q.trim() !== '' || only.length > 0
  return (
    <DataTable
      columns={columns}
      rows={rows}
      keyOf={emailOf}
      nameOf={emailOf}
      hrefOf={hrefOf}
      sorted={loadAll}
      counted={(count) => words.people.counted(count, isWhole)}
      csvName="accounts"
      empty={
        <EmptyState icon={isNarrow ? 'search' : 'people'} text={words.people.nobody}>
          {isNarrow && (
            <button type="button" onClick={() => go(linkTo(['people']), true)}>
              {words.people.showAll}
            </button>
          )}
        </EmptyState>
      }
      menuLabel={menuLabel}
      menu={menu}
      {...(mayDo('admin.users.write') && {
        bulk: (chosen: readonly Account[], clear: () => void) =>
          allowed.map(({ bulk, isBad = false }) => (
            <button
              key={bulk}
              type="button"
              class={isBad ? 'bad' : undefined}
              onClick={() =>
                setOpen({
                  bulk,
                  emails: chosen.map(emailOf),
                  done: () => {
                    clear()
                    changed()
                  },
                })
              }
            >
              {words.people.bulk[bulk]}
            </button>
          )),
      })}
    />
  )
}

/** All accounts: search, filters, actions on several. */
export const PeoplePage = () => {
  const { q, only } = readFilters(route.value)
  const on = new Set(only)
  const [open, setOpen] = useState<Open>()
  // The search opens a dialog by the address.
  const { query } = route.value
  const asked = dialogs.find((name) => name === query.get('open'))
  useEffect(() => {
    if (asked !== undefined && mayDo('admin.users.write')) setOpen(asked)
  }, [asked])
  const [turn, setTurn] = useState(0)
  const bans = useLoad(listBans, [])
  const online = useLoad(findOnline, [])
  useEvery(onlineMs, online.refresh)
  const known = { bans: bans.value, online: online.value ?? noPlayers }
  const close = () => {
    setOpen(undefined)
    // A dialog may have opened another page, whose address is in the bar already.
    const now = readRoute(location.hash)
    if (now.parts.length === 1 && now.query.has('open')) setFilters({})
  }
  const changed = useCallback(() => {
    bans.reload()
    setTurn((last) => last + 1)
  }, [])
  return (
    <>
      <PageHead title={words.pages.people}>
        {mayDo('admin.users.write') && (
          <>
            <button type="button" onClick={() => setOpen('invitations')}>
              {words.people.invitations.act}
            </button>
            <button type="button" onClick={() => setOpen('add')}>
              {words.people.add}
            </button>
            <button type="button" class="main" onClick={() => setOpen('invite')}>
              {words.people.invite.act}
            </button>
          </>
        )}
      </PageHead>
      <search class="toolbar">
        <SearchField label={words.people.search} value={q} change={(text) => setFilters({ q: text })} />
        <FilterChips
          label={words.table.filters}
          chips={filters.map((name) => ({ name, label: words.people.filters[name] }))}
          on={on}
          change={(next) => setFilters({ only: [...next] })}
        />
      </search>
      <PagedList<Account>
        ask={(page, signal) => ask(q.trim(), on, page, signal)}
        keys={[q.trim(), on.has('inactive'), on.has('twice')]}
        turn={turn}
        wantsAll={on.size > 0}
      >
        {(accounts, { loadAll, isWhole }) => (
          <>
            {on.has('twice') && accounts.length > 0 && mayDo('admin.users.write') && (
              <p class="box alike-offer">
                {words.people.alike.offer}
                <button
                  type="button"
                  class="main"
                  disabled={!isWhole}
                  onClick={() => setOpen({ alike: accounts, known, done: changed })}
                >
                  {words.people.alike.act}
                </button>
              </p>
            )}
            <AccountTable
              accounts={accounts}
              known={known}
              isWhole={isWhole}
              loadAll={loadAll}
              setOpen={setOpen}
              changed={changed}
            />
          </>
        )}
      </PagedList>
      {open === 'add' && (
        <Lazy
          name="add"
          of={async () => (await import('./add-account.tsx')).AddAccount}
          props={{ close, email: query.get('email') ?? '' }}
          isQuiet
        />
      )}
      {open === 'invite' && (
        <Lazy name="invite" of={async () => (await import('./invite-player.tsx')).InvitePlayer} props={{ close }} isQuiet />
      )}
      {open === 'invitations' && (
        <Lazy name="invitations" of={async () => (await import('./invitations.tsx')).Invitations} props={{ close }} isQuiet />
      )}
      {typeof open === 'object' && 'alike' in open && (
        <Lazy
          name="alike"
          of={async () => (await import('./alike-names.tsx')).AlikeNames}
          props={{ accounts: open.alike, known: open.known, done: open.done, close }}
          isQuiet
        />
      )}
      {typeof open === 'object' && 'bulk' in open && (
        <Lazy
          name="bulk"
          of={async () => (await import('./bulk-dialogs.tsx')).BulkForm}
          props={{ bulk: open.bulk, emails: open.emails, done: open.done, close }}
          isQuiet
        />
      )}
    </>
  )
}
