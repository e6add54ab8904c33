import { useState } from 'preact/hooks'
import { AuditTable } from '../audit/audit-table.tsx'
import { SanctionList } from '../moderation/sanction-list.tsx'
import { Badges } from '../parts/badges.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { type Account, ChangeGroups, DeleteAccount, Rename, SetPassword, type Versioned } from './account-dialogs.tsx'
import { GrantList } from './grant-list.tsx'
import { PermissionList } from './permission-list.tsx'

const dialogs = { rename: Rename, groups: ChangeGroups, password: SetPassword, remove: DeleteAccount } as const

const Facts = ({ account }: { readonly account: Account }) => (
  <dl class="facts">
    <dt>{words.people.email}</dt>
    <dd>{account.email}</dd>
    <dt>{words.people.groups}</dt>
    <dd>
      <Badges names={account.groups} />
    </dd>
    <dt>{words.people.signsIn}</dt>
    <dd>{account.hasPassword ? words.people.password : words.people.noPassword}</dd>
    <dt>{words.people.created}</dt>
    <dd>
      <Time at={account.createdAt} exact />
    </dd>
    <dt>{words.people.playerId}</dt>
    <dd>
      <code>{account.playerId}</code>
    </dd>
  </dl>
)

const History = ({ email }: { readonly email: string }) => {
  const history = useLoad(
    async (signal) => (await call('GET /api/admin/audit', { query: { target: email, limit: 20 }, signal })).body,
    [email],
  )
  return (
    <section class="card wide-card">
      <h2>{words.people.history}</h2>
      <Loading of={history}>{({ entries }) => <AuditTable entries={entries} />}</Loading>
    </section>
  )
}

/** One account: what it is, what may be done with it, and what was. */
export const AccountPage = ({ email }: { readonly email: string }) => {
  const loaded = useLoad(
    async (signal): Promise<Versioned> => {
      const { body, etag } = await call('GET /api/admin/users/{email}', { params: { email }, signal })
      return { account: body, etag }
    },
    [email],
  )
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const OpenDialog = open === undefined ? undefined : dialogs[open]
  const close = () => {
    setOpen(undefined)
    loaded.reload()
  }
  return (
    <>
      <p>
        <a href={linkTo(['people'])}>← {words.pages.people}</a>
      </p>
      <PageHead title={loaded.value?.account.displayName ?? email}>
        {loaded.value !== undefined && mayDo('admin.users.write') && (
          <>
            <button type="button" onClick={() => setOpen('rename')}>
              {words.people.rename}
            </button>
            <button type="button" onClick={() => setOpen('groups')}>
              {words.people.changeGroups}
            </button>
            <button type="button" onClick={() => setOpen('password')}>
              {words.people.setPassword}
            </button>
            <button type="button" class="bad" onClick={() => setOpen('remove')}>
              {words.people.delete}
            </button>
          </>
        )}
      </PageHead>
      <div class="cards">
        <section class="card">
          <Loading of={loaded}>{({ account }) => <Facts account={account} />}</Loading>
        </section>
        {loaded.value !== undefined && <GrantList account={loaded.value.account} changed={loaded.reload} />}
        {loaded.value !== undefined && <PermissionList account={loaded.value.account} />}
        {mayDo('admin.sanctions.read') && <SanctionList email={email} />}
        {mayDo('admin.audit.read') && <History email={email} key={String(open)} />}
      </div>
      {OpenDialog !== undefined && loaded.value !== undefined && <OpenDialog {...loaded.value} close={close} />}
    </>
  )
}
