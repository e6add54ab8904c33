import { useState } from 'preact/hooks'
import { ProblemError } from '../../sdk/auth.ts'
import { AuditTable } from '../audit/audit-table.tsx'
import { UndoButton } from '../audit/undo-button.tsx'
import { BanBadge, listBans } from '../moderation/ban-badge.tsx'
import { SanctionList } from '../moderation/sanction-list.tsx'
import { Badges } from '../parts/badges.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { useDialog } from '../state/open-dialog.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { TokensOfAccounts } from '../tokens/tokens-page.tsx'
import { words } from '../words.ts'
import { type Account, ChangeGroups, DeleteAccount, Rename, SetPassword, type Versioned } from './account-dialogs.tsx'
import { GrantList } from './grant-list.tsx'
import { PermissionList } from './permission-list.tsx'

const dialogs = { rename: Rename, groups: ChangeGroups, password: SetPassword, remove: DeleteAccount } as const

const Facts = ({ account }: { readonly account: Account }) => (
  <dl class="facts">
    <dt>{words.people.email}</dt>
    <dd>
      <bdi>{account.email}</bdi>
    </dd>
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

/** Recent sign-ins of the account, and their methods. */
const SignIns = ({ email }: { readonly email: string }) => {
  const last = useLoad(
    async (signal) => (await call('GET /api/admin/users/{email}/sign-ins', { params: { email }, signal })).body,
    [email],
  )
  return (
    <section class="card">
      <h2>{words.people.signIns}</h2>
      <Loading of={last}>
        {({ signIns, failed }) => (
          <>
            {failed.count > 0 && (
              <p>
                {words.people.failedSignIns(failed.count)} {failed.lastAt !== undefined && <Time at={failed.lastAt} />}
              </p>
            )}
            {signIns.length === 0 ? (
              <p class="quiet">{words.people.neverSignedIn}</p>
            ) : (
              <ul class="plain-list">
                {signIns.map(({ at, by }) => (
                  <li key={at}>
                    <Time at={at} /> {words.people.signedInBy[by]}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loading>
    </section>
  )
}

type HistoryProps = { readonly email: string; readonly isGone: boolean; readonly changed: () => void }

/** Changes to the account. A deleted account can be restored here. */
const History = ({ email, isGone, changed }: HistoryProps) => {
  const history = useLoad(
    async (signal) => (await call('GET /api/admin/audit', { query: { target: email, limit: 20 }, signal })).body,
    [email],
  )
  return (
    <section class="card wide-card">
      <h2>{words.people.history}</h2>
      <Loading of={history}>
        {({ entries }) => {
          const deletion = isGone ? entries.find(({ action }) => action === 'account.delete') : undefined
          return (
            <>
              {deletion !== undefined && (
                <div class="box box-warn">
                  <p>
                    <Named say={words.people.gone} names={[deletion.actor]} /> <Time at={deletion.at} />
                  </p>
                  <UndoButton entry={deletion} done={changed} />
                </div>
              )}
              <AuditTable entries={entries} changed={changed} />
            </>
          )
        }}
      </Loading>
    </section>
  )
}

/** One account, its permissions and its history. */
export const AccountPage = ({ email }: { readonly email: string }) => {
  const loaded = useLoad(
    async (signal): Promise<Versioned> => {
      const { body, etag } = await call('GET /api/admin/users/{email}', { params: { email }, signal })
      return { account: body, etag }
    },
    [email],
  )
  const { open, show, close: closeDialog } = useDialog<keyof typeof dialogs, Versioned>(loaded)
  const [turn, setTurn] = useState(0)
  const bans = useLoad((signal) => listBans(signal, email), [email])
  const isGone = loaded.error instanceof ProblemError && loaded.error.problem.status === 404
  const OpenDialog = open && dialogs[open.dialog]
  /** Reloads everything on the page, with the history. */
  const reload = () => {
    loaded.reload()
    setTurn(turn + 1)
  }
  const sanctioned = () => {
    bans.reload()
    setTurn(turn + 1)
  }
  const close = () => {
    closeDialog()
    reload()
  }
  return (
    <>
      <p>
        <a href={linkTo(['people'])}>← {words.pages.people}</a>
      </p>
      <PageHead title={loaded.value?.account.displayName ?? email} badge={<BanBadge ban={bans.value?.values().next().value} />}>
        {loaded.value !== undefined && mayDo('admin.users.write') && (
          <>
            <button type="button" onClick={show('rename')}>
              {words.people.rename}
            </button>
            <button type="button" onClick={show('groups')}>
              {words.people.changeGroups}
            </button>
            <button type="button" onClick={show('password')}>
              {words.people.setPassword}
            </button>
            <button type="button" class="bad" onClick={show('remove')}>
              {words.people.delete}
            </button>
          </>
        )}
      </PageHead>
      <div class="cards">
        <section class="card">
          <Loading of={loaded}>{({ account }) => <Facts account={account} />}</Loading>
        </section>
        {loaded.value !== undefined && <SignIns email={email} />}
        {loaded.value !== undefined && <GrantList account={loaded.value.account} changed={reload} />}
        {loaded.value !== undefined && <PermissionList account={loaded.value.account} />}
        {mayDo('admin.sanctions.read') && <SanctionList email={email} changed={sanctioned} />}
        {mayDo('admin.tokens.read') && loaded.value !== undefined && (
          <TokensOfAccounts email={email} changed={() => setTurn(turn + 1)} />
        )}
        {mayDo('admin.audit.read') && <History email={email} isGone={isGone} changed={reload} key={turn} />}
      </div>
      {open !== undefined && OpenDialog !== undefined && <OpenDialog {...open.of} close={close} />}
    </>
  )
}
