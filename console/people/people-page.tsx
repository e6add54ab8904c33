import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
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
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import type { PageQuery } from '../state/pager.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import type { BulkDialog } from './bulk-dialogs.tsx'

type Account = Answer<'GET /api/admin/users'>['body']['users'][number]

const inactiveDays = 30
const dayMs = 86_400_000
const onlineMs = 10_000
const playersMax = 200

const filters = ['online', 'banned', 'inactive', 'open', 'twice'] as const
type Filter = (typeof filters)[number]

const ask = async (q: string, isInactive: boolean, page: PageQuery, signal: AbortSignal) => {
  const since = new Date(Math.floor(Date.now() / dayMs - inactiveDays) * dayMs).toISOString()
  const query = { ...page, ...(q !== '' && { q }), ...(isInactive && { inactiveSince: since }) }
  const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
  return { items: users, nextCursor }
}

/** The emails of the connected players; empty without the permission to read them. */
const findOnline = async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
  if (!mayDo('admin.players.read')) return new Set()
  const { players } = (await call('GET /api/admin/players', { query: { limit: playersMax }, signal })).body
  return new Set(players.map(({ email }) => email))
}

type Bans = Awaited<ReturnType<typeof listBans>>
type Known = { readonly bans: Bans | undefined; readonly online: ReadonlySet<string> }

const nameKey = ({ displayName }: Account): string => displayName.toLowerCase()

/** The names that several accounts have. */
const findTwice = (accounts: readonly Account[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const name of accounts.map(nameKey)) (seen.has(name) ? twice : seen).add(name)
  return twice
}

const narrow = (accounts: readonly Account[], on: ReadonlySet<string>, { bans, online }: Known): readonly Account[] => {
  const twice = findTwice(accounts)
  const passes: Readonly<Record<Filter, (account: Account) => boolean>> = {
    online: ({ email }) => online.has(email),
    banned: ({ email }) => bans?.has(email) ?? false,
    inactive: () => true,
    open: ({ hasPassword }) => !hasPassword,
    twice: (account) => twice.has(nameKey(account)),
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
    cell: ({ lastSeenAt }) =>
      lastSeenAt === undefined ? <span class="quiet">{words.people.never}</span> : <Time at={lastSeenAt} />,
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
  | { readonly bulk: BulkDialog; readonly emails: readonly string[]; readonly done: () => void }

const bulks: readonly { readonly bulk: BulkDialog; readonly permission: string; readonly isBad?: boolean }[] = [
  { bulk: 'group', permission: 'admin.users.write' },
  { bulk: 'ban', permission: 'admin.sanctions.write', isBad: true },
  { bulk: 'delete', permission: 'admin.users.write', isBad: true },
]

/** All accounts: search, filters, actions on several. */
export const PeoplePage = () => {
  const { query } = route.value
  const q = query.get('q') ?? ''
  const on: ReadonlySet<string> = new Set(query.get('only')?.split(' ').filter(Boolean) ?? [])
  const [open, setOpen] = useState<Open>()
  const [turn, setTurn] = useState(0)
  const bans = useLoad(listBans, [])
  const online = useLoad(findOnline, [])
  useEvery(onlineMs, online.refresh)
  const known = { bans: bans.value, online: online.value ?? new Set<string>() }
  const isNarrow = q.trim() !== '' || on.size > 0
  const change = (next: { readonly q?: string; readonly only?: ReadonlySet<string> }) =>
    go(linkTo(['people'], { q: next.q ?? q, only: [...(next.only ?? on)].join(' ') }), true)
  const close = () => setOpen(undefined)
  const mayWrite = mayDo('admin.users.write')
  return (
    <>
      <PageHead title={words.pages.people}>
        {mayWrite && (
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
        <input
          type="search"
          aria-label={words.people.search}
          placeholder={words.people.search}
          value={q}
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
        />
        <FilterChips
          label={words.table.filters}
          chips={filters.map((name) => ({ name, label: words.people.filters[name] }))}
          on={on}
          change={(only) => change({ only })}
        />
      </search>
      <PagedList<Account>
        ask={(page, signal) => ask(q.trim(), on.has('inactive'), page, signal)}
        keys={[q.trim(), on.has('inactive')]}
        turn={turn}
        wantsAll={on.size > 0}
      >
        {(accounts, { loadAll, isWhole }) => (
          <DataTable
            columns={createColumns(known)}
            rows={narrow(accounts, on, known)}
            keyOf={({ email }) => email}
            nameOf={({ email }) => email}
            hrefOf={({ email }) => linkTo(['people', email])}
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
            menuLabel={({ email }) => words.people.actionsFor(email)}
            menu={({ email }) => (
              <>
                <MenuItem icon="account" href={linkTo(['people', email])}>
                  {words.shell.account}
                </MenuItem>
                {mayDo('admin.audit.read') && (
                  <MenuItem icon="audit" href={linkTo(['people', email], { tab: 'history' })}>
                    {words.people.tabs.history}
                  </MenuItem>
                )}
                {bulks
                  .filter(({ permission }) => mayDo(permission))
                  .map(({ bulk, isBad = false }) => (
                    <MenuItem
                      key={bulk}
                      isBad={isBad}
                      act={() => setOpen({ bulk, emails: [email], done: () => setTurn((last) => last + 1) })}
                    >
                      {words.people.bulk[bulk]}
                    </MenuItem>
                  ))}
              </>
            )}
            {...(mayWrite && {
              bulk: (rows: readonly Account[], clear: () => void) =>
                bulks
                  .filter(({ permission }) => mayDo(permission))
                  .map(({ bulk, isBad = false }) => (
                    <button
                      key={bulk}
                      type="button"
                      class={isBad ? 'bad' : undefined}
                      onClick={() =>
                        setOpen({
                          bulk,
                          emails: rows.map(({ email }) => email),
                          done: () => {
                            clear()
                            bans.reload()
                            setTurn((last) => last + 1)
                          },
                        })
                      }
                    >
                      {words.people.bulk[bulk]}
                    </button>
                  )),
            })}
          />
        )}
      </PagedList>
      {open === 'add' && (
        <Lazy name="add" of={async () => (await import('./add-account.tsx')).AddAccount} props={{ close }} isQuiet />
      )}
      {open === 'invite' && (
        <Lazy name="invite" of={async () => (await import('./invite-player.tsx')).InvitePlayer} props={{ close }} isQuiet />
      )}
      {open === 'invitations' && (
        <Lazy name="invitations" of={async () => (await import('./invitations.tsx')).Invitations} props={{ close }} isQuiet />
      )}
      {typeof open === 'object' && (
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
