import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { BanBadge, listBans } from '../moderation/ban-badge.tsx'
import { Badges } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Field } from '../parts/field.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import type { PageQuery } from '../state/pager.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { AddAccount } from './add-account.tsx'
import { InvitePlayer } from './invite-player.tsx'

type Account = Answer<'GET /api/admin/users'>['body']['users'][number]

const ask = async (q: string, page: PageQuery, signal: AbortSignal) => {
  const query = { ...page, ...(q !== '' && { q }) }
  const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
  return { items: users, nextCursor }
}

type Bans = Awaited<ReturnType<typeof listBans>>

const createColumns = (bans: Bans | undefined): readonly Column<Account>[] => [
  {
    head: words.people.name,
    cell: ({ email, displayName }) => (
      <>
        <a href={linkTo(['people', email])}>
          <bdi>{displayName}</bdi>
        </a>{' '}
        <BanBadge ban={bans?.get(email)} />
      </>
    ),
  },
  { head: words.people.email, cell: ({ email }) => <bdi>{email}</bdi>, isLong: true },
  { head: words.people.groups, cell: ({ groups }) => <Badges names={groups} /> },
  { head: words.people.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** All accounts, with a search by name or email. */
export const PeoplePage = () => {
  const q = route.value.query.get('q') ?? ''
  const [isAdding, setAdding] = useState(false)
  const [isInviting, setInviting] = useState(false)
  const bans = useLoad(listBans, [])
  return (
    <>
      <PageHead title={words.pages.people}>
        {mayDo('admin.users.write') && (
          <>
            <button type="button" onClick={() => setAdding(true)}>
              {words.people.add}
            </button>
            <button type="button" class="main" onClick={() => setInviting(true)}>
              {words.people.invite.act}
            </button>
          </>
        )}
      </PageHead>
      <search class="filters">
        <Field label={words.people.search}>
          <input
            type="search"
            value={q}
            onInput={({ currentTarget }) => go(linkTo(['people'], { q: currentTarget.value }), true)}
          />
        </Field>
      </search>
      <PagedList<Account> ask={(page, signal) => ask(q.trim(), page, signal)} keys={[q.trim()]}>
        {(accounts) => (
          <DataTable
            columns={createColumns(bans.value)}
            rows={accounts}
            keyOf={({ email }) => email}
            empty={words.people.nobody}
          />
        )}
      </PagedList>
      {isAdding && <AddAccount close={() => setAdding(false)} />}
      {isInviting && <InvitePlayer close={() => setInviting(false)} />}
    </>
  )
}
