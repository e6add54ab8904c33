import { useState } from 'preact/hooks'
import { BanBadge } from '../moderation/ban-badge.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badges } from '../parts/badges.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { Time } from '../parts/time.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import type { ListedAccount as Account, Known } from './listed-account.ts'

const nameLengthMax = 32
/** The names in one dialog. The rest follows in the next one. */
const namesMax = 20
const searchedMax = 200

type Namesakes = { readonly key: string; readonly accounts: readonly Account[] }

const groupByName = (accounts: readonly Account[]): readonly Namesakes[] => {
  const groups = new Map<string, Account[]>()
  for (const account of accounts) {
    const { nameKey = '' } = account
    groups.set(nameKey, [...(groups.get(nameKey) ?? []), account])
  }
  // A filter of the page may have hidden the others of a name.
  return [...groups].map(([key, members]) => ({ key, accounts: members })).filter((one) => one.accounts.length > 1)
}

/** In the proposal, the account with the last sign-in keeps its name; without sign-ins, the oldest account. */
const findKeeper = (accounts: readonly Account[]): Account | undefined =>
  [...accounts].sort(
    (one, other) => (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? '') || one.createdAt.localeCompare(other.createdAt),
  )[0]

const withNumber = (name: string, number: number): string => {
  const end = String(number)
  return [...name].slice(0, nameLengthMax - end.length).join('') + end
}

/** New names by email, for all accounts but one of each name. Names that other accounts have are skipped. */
const proposeNames = async (groups: readonly Namesakes[], signal: AbortSignal): Promise<Readonly<Record<string, string>>> => {
  const names: Record<string, string> = {}
  for (const { accounts } of groups) {
    const keeper = findKeeper(accounts)
    const q = keeper?.displayName ?? ''
    const { users } = (await call('GET /api/admin/users', { query: { q, limit: searchedMax }, signal })).body
    const taken = new Set(users.map(({ displayName }) => displayName.toLowerCase()))
    let number = 2
    for (const { email, displayName } of accounts) {
      if (email === keeper?.email) continue
      while (taken.has(withNumber(displayName, number).toLowerCase())) number += 1
      names[email] = withNumber(displayName, number)
      // The next name has another number, because the names without theirs look alike.
      number += 1
    }
  }
  return names
}

/** The number of zones of each player; undefined without the permission to read zones. */
const countZones = async (signal: AbortSignal): Promise<ReadonlyMap<string, number> | undefined> => {
  if (!mayDo('admin.instances.read')) return undefined
  const counts = new Map<string, number>()
  const zones = (await call('GET /api/admin/instances', { query: {}, signal })).body
  for (const { owner } of zones) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

const Namesake = ({
  account,
  known,
  isKeeper,
  mergeInto,
  zones,
  name,
  change,
}: {
  readonly account: Account
  readonly known: Known
  readonly isKeeper: boolean
  /** The email of the account that this one may be merged into. */
  readonly mergeInto: string | undefined
  readonly zones: ReadonlyMap<string, number> | undefined
  readonly name: string
  readonly change: (name: string) => void
}) => (
  <li class={name.trim() === account.displayName ? 'alike' : 'alike changed'}>
    <p class="who">
      <Avatar name={account.displayName} isOnline={known.online.has(account.email)} />
      <span>
        <a href={linkTo(['people', account.email])} target="_blank" rel="noreferrer">
          <bdi>{account.email}</bdi>
        </a>{' '}
        <BanBadge ban={known.bans?.get(account.email)} />
        {isKeeper && <span class="badge good">{words.people.alike.newest}</span>}
      </span>
    </p>
    <dl class="facts">
      <dt>{words.people.groups}</dt>
      <dd>
        <Badges names={account.groups} />
      </dd>
      <dt>{words.people.lastSeen}</dt>
      <dd>{account.lastSeenAt === undefined ? words.people.never : <Time at={account.lastSeenAt} />}</dd>
      <dt>{words.people.created}</dt>
      <dd>
        <Time at={account.createdAt} />
      </dd>
      {zones !== undefined && (
        <>
          <dt>{words.people.alike.zones}</dt>
          <dd>{(zones.get(account.playerId) ?? 0).toLocaleString()}</dd>
        </>
      )}
    </dl>
    {mergeInto !== undefined && (
      <p>
        <a href={linkTo(['people', account.email], { merge: mergeInto })} target="_blank" rel="noreferrer">
          {words.people.merge.link}
        </a>
      </p>
    )}
    <label class="field">
      <span>
        {words.people.displayName}
        {name.trim() !== account.displayName && (
          <small class="quiet">
            {' '}
            <bdi>{words.people.alike.current(account.displayName)}</bdi>
          </small>
        )}
      </span>
      <input
        aria-label={words.people.alike.field(account.email)}
        required
        maxLength={nameLengthMax}
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  </li>
)

/** Shows accounts whose names look alike side by side, and renames several at once. One of each name keeps it in the proposal. */
export const AlikeNames = ({
  accounts,
  known,
  done,
  close,
}: {
  readonly accounts: readonly Account[]
  readonly known: Known
  readonly done: () => void
  readonly close: () => void
}) => {
  const all = groupByName(accounts)
  const groups = all.slice(0, namesMax)
  const proposed = useLoad((signal) => proposeNames(groups, signal), [])
  const zones = useLoad(countZones, [])
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [renamed, setRenamed] = useState<ReadonlySet<string>>(new Set())
  const nameOf = ({ email, displayName }: Account): string => typed[email] ?? proposed.value?.[email] ?? displayName
  const changes = groups
    .flatMap((group) => group.accounts)
    .filter((account) => !renamed.has(account.email) && nameOf(account).trim() !== account.displayName)

  const submit = async (): Promise<void> => {
    const failed: string[] = []
    const answers: { readonly requestId?: string }[] = []
    const ended = new Set(renamed)
    for (const account of changes)
      try {
        const params = { email: account.email }
        answers.push(await call('PUT /api/admin/users/{email}', { params, body: { displayName: nameOf(account).trim() } }))
        ended.add(account.email)
      } catch (error) {
        failed.push(`${account.email}: ${describeProblem(error)}`)
      }
    setRenamed(ended)
    if (answers.length > 0) tellDone(words.people.alike.renamed(answers.length), ...answers)
    done()
    if (failed.length > 0) throw new Error(words.people.alike.failed(answers.length, failed))
  }

  return (
    <FormDialog
      title={words.people.alike.title}
      action={changes.length === 0 ? words.people.alike.none : words.people.alike.submit(changes.length)}
      isReady={changes.length > 0 && proposed.value !== undefined}
      close={close}
      submit={submit}
      wide
    >
      <p class="quiet">{words.people.alike.lead}</p>
      {groups.map(({ key, accounts: namesakes }) => (
        <fieldset key={key} class="alike-name">
          <legend>
            <bdi>{findKeeper(namesakes)?.displayName}</bdi>
          </legend>
          <ul class="alikes">
            {namesakes.map((account) => (
              <Namesake
                key={account.email}
                account={account}
                known={known}
                mergeInto={findKeeper(namesakes) === account ? undefined : findKeeper(namesakes)?.email}
                isKeeper={account.lastSeenAt !== undefined && findKeeper(namesakes) === account}
                zones={zones.value}
                name={nameOf(account)}
                change={(name) => setTyped((last) => ({ ...last, [account.email]: name }))}
              />
            ))}
          </ul>
        </fieldset>
      ))}
      {all.length > groups.length && <p class="quiet">{words.people.alike.more(all.length - groups.length)}</p>}
    </FormDialog>
  )
}
