import { useEffect, useState } from 'preact/hooks'
import { ProblemError } from '../../sdk/auth.ts'
import { AuditTable } from '../audit/audit-table.tsx'
import { UndoButton } from '../audit/undo-button.tsx'
import { BanBadge, listBans } from '../moderation/ban-badge.tsx'
import { ImposeDialog } from '../moderation/impose-dialog.tsx'
import { SanctionList } from '../moderation/sanction-list.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badges } from '../parts/badges.tsx'
import { Loading } from '../parts/loading.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { Named } from '../parts/named.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { useDialog } from '../state/open-dialog.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { TokensOfAccounts } from '../tokens/tokens-page.tsx'
import { words } from '../words.ts'
import {
  type Account,
  ChangeEmail,
  ChangeGroups,
  DeleteAccount,
  Rename,
  ResetLink,
  SetPassword,
  type Versioned,
} from './account-dialogs.tsx'
import { GrantList } from './grant-list.tsx'
import { MergeAccount } from './merge-dialog.tsx'
import { PermissionList } from './permission-list.tsx'

const dialogs = {
  rename: Rename,
  email: ChangeEmail,
  groups: ChangeGroups,
  password: SetPassword,
  link: ResetLink,
  merge: MergeAccount,
  remove: DeleteAccount,
} as const

const tabs = ['access', 'moderation', 'sessions', 'history'] as const
/** The permissions of tabs beyond that of the page. */
const permissions: Readonly<Partial<Record<(typeof tabs)[number], string>>> = {
  moderation: 'admin.sanctions.read',
  history: 'admin.audit.read',
}
const onlineMs = 10_000
const countedMax = 99

/** The number behind a tab. Zero shows nothing. */
const countOf = (found: number | undefined, say: (text: string) => string) => {
  if (found === undefined || found === 0) return undefined
  const shown = found > countedMax ? `${countedMax}+` : String(found)
  return { shown, text: say(shown) }
}

/** The number of active sanctions; undefined without the permission to read them. */
const countSanctions = async (email: string, signal: AbortSignal): Promise<number | undefined> => {
  if (!mayDo('admin.sanctions.read')) return undefined
  const query = { email, active: true, limit: countedMax + 1 }
  return (await call('GET /api/admin/sanctions', { query, signal })).body.sanctions.length
}

const playersMax = 200

/** The connected player of the account, if any. */
const findPlayer = async (email: string, signal: AbortSignal) => {
  if (!mayDo('admin.players.read')) return undefined
  const { players } = (await call('GET /api/admin/players', { query: { limit: playersMax }, signal })).body
  return players.find((player) => player.email === email)
}

/** Where the player is, and whether the account has a password. */
const Status = ({ account }: { readonly account: Account }) => {
  const player = useLoad((signal) => findPlayer(account.email, signal), [account.email])
  useEvery(onlineMs, player.refresh)
  const { value: online } = player
  return (
    <>
      {online !== undefined && <span class="badge good">{words.people.onlineIn(online.world)}</span>}
      {!account.hasPassword && <span class="badge warn">{words.people.noPassword}</span>}
    </>
  )
}

const Facts = ({ account }: { readonly account: Account }) => (
  <dl class="fact-row">
    <div>
      <dt>{words.people.email}</dt>
      <dd>
        <bdi>{account.email}</bdi>
      </dd>
    </div>
    <div class="facts">
      <dt>{words.people.groups}</dt>
      <dd>
        <Badges names={account.groups} />
      </dd>
    </div>
    <div>
      <dt>{words.people.created}</dt>
      <dd>
        <Time at={account.createdAt} />
      </dd>
    </div>
    <div>
      <dt>{words.people.playerId}</dt>
      <dd>
        <code>{account.playerId}</code>
      </dd>
    </div>
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
  const [isImposing, setImposing] = useState(false)
  const bans = useLoad((signal) => listBans(signal, email), [email])
  const sanctions = useLoad((signal) => countSanctions(email, signal), [email, turn])
  const counts = {
    access: countOf(loaded.value?.account.grants?.length, words.people.countedGrants),
    moderation: countOf(sanctions.value, words.people.countedSanctions),
    sessions: undefined,
    history: undefined,
  }
  const isGone = loaded.error instanceof ProblemError && loaded.error.problem.status === 404
  const OpenDialog = open && dialogs[open.dialog]
  const isMerging = route.value.query.has('merge')
  useEffect(() => {
    if (isMerging && mayDo('admin.users.write')) show('merge')()
  }, [isMerging, email])
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
    // The address opened the dialog of a merge that was cancelled.
    if (route.peek().query.has('merge')) go(linkTo(['people', email]), true)
    reload()
  }
  const { value } = loaded
  const tab = tabs.find((one) => one === route.value.query.get('tab')) ?? 'access'
  const mayWrite = value !== undefined && mayDo('admin.users.write')
  return (
    <>
      <nav class="crumbs" aria-label={words.people.crumbs}>
        <a href={linkTo(['people'])}>{words.pages.people}</a>
      </nav>
      <PageHead
        title={value?.account.displayName ?? email}
        lead={<Avatar name={value?.account.displayName ?? email} />}
        badge={
          <>
            <BanBadge ban={bans.value?.values().next().value} />
            {value !== undefined && <Status account={value.account} />}
          </>
        }
      >
        {value !== undefined && mayDo('admin.sanctions.write') && (
          <button type="button" onClick={() => setImposing(true)}>
            {words.sanctions.impose}
          </button>
        )}
        {mayWrite && (
          <>
            <button type="button" onClick={show('groups')}>
              {words.people.changeGroups}
            </button>
            <Menu label={words.people.actionsFor(email)} class="plain framed">
              <MenuItem act={show('rename')}>{words.people.rename}</MenuItem>
              <MenuItem act={show('email')}>{words.people.changeEmail}</MenuItem>
              <MenuItem act={show('password')}>{words.people.setPassword}</MenuItem>
              <MenuItem act={show('link')}>{words.people.resetLink}</MenuItem>
              <MenuItem act={show('merge')}>{words.people.merge.act}</MenuItem>
              <MenuItem isBad act={show('remove')}>
                {words.people.delete}
              </MenuItem>
            </Menu>
          </>
        )}
      </PageHead>
      <Loading of={loaded}>{({ account }) => <Facts account={account} />}</Loading>
      <Tabs
        label={words.people.parts}
        tabs={tabs
          .filter((name) => permissions[name] === undefined || mayDo(permissions[name]))
          .map((name) => ({
            name,
            label: words.people.tabs[name],
            href: linkTo(['people', email], { tab: name }),
            count: counts[name],
          }))}
        current={isGone ? 'history' : tab}
      />
      {tab === 'access' && value !== undefined && (
        <div class="cards">
          <PermissionList account={value.account} />
          <GrantList account={value.account} changed={reload} />
        </div>
      )}
      {tab === 'moderation' && value !== undefined && mayDo('admin.sanctions.read') && (
        <SanctionList email={email} changes={turn} changed={sanctioned} />
      )}
      {tab === 'sessions' && value !== undefined && (
        <div class="cards">
          <SignIns email={email} />
          {mayDo('admin.tokens.read') && <TokensOfAccounts email={email} changed={() => setTurn(turn + 1)} />}
        </div>
      )}
      {(tab === 'history' || isGone) && mayDo('admin.audit.read') && (
        <History email={email} isGone={isGone} changed={reload} key={turn} />
      )}
      {isImposing && (
        <ImposeDialog
          email={email}
          close={() => {
            setImposing(false)
            sanctioned()
          }}
        />
      )}
      {open !== undefined && OpenDialog !== undefined && <OpenDialog {...open.of} close={close} />}
    </>
  )
}
