import type { Account } from '../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../shared/domain/accounts/can-administer.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import type { OauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { vouchedBy } from '../../shared/domain/auth/oauth/oauth-provider.ts'
import { type Finding, isOfIssuer, note } from './check-provider.ts'
import { type RehearsalDeps, type Rehearsed, rehearseSignIn } from './rehearse-sign-in.ts'

const listOf = (names: readonly string[]): string => names.join(', ')

/** The effect of a sign-in on an account's groups, in words; undefined without a change. */
export const describeEffect = ({ before, after, refusal }: Rehearsed): string | undefined => {
  const had = before?.groups ?? []
  const has = after?.groups ?? []
  const gains = has.filter((name) => !had.includes(name))
  const loses = had.filter((name) => !has.includes(name))
  const effects = [
    ...(before === undefined && refusal === undefined ? [`is new, in ${listOf(has) || 'no group'}`] : []),
    ...(before !== undefined && gains.length > 0 ? [`gains ${listOf(gains)}`] : []),
    ...(loses.length > 0 ? [`loses ${listOf(loses)}`] : []),
    ...(before !== undefined && after !== undefined && before.subject === undefined && refusal === undefined
      ? ['is joined by its verified email']
      : []),
    ...(refusal === undefined ? [] : [`cannot sign in: ${refusal}`]),
  ]
  return effects.length === 0 ? undefined : effects.join('; ')
}

type CheckAccountsDeps = RehearsalDeps & {
  readonly accountStore: Pick<AccountStore, 'findByEmail' | 'findBySubject' | 'listAccounts'>
}

/** The report on all accounts: a line for each change, then counts of the others. */
type AccountsReport = { readonly lines: readonly string[]; readonly findings: readonly Finding[] }

const named = 10

const list = (emails: readonly string[]): string =>
  emails.length > named ? `${emails.slice(0, named).join(', ')} and ${emails.length - named} more` : emails.join(', ')

async function* eachAccount({ listAccounts }: Pick<AccountStore, 'listAccounts'>): AsyncGenerator<Account> {
  let cursor: string | undefined
  do {
    const page = await listAccounts({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.accounts
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** Whether the value of the claim is known. Without a mapped claim it does not matter. */
const isClaimKnown = ({ claimedGroups }: Account, { groupsClaim }: OauthSettings): boolean =>
  groupsClaim === undefined || claimedGroups !== undefined

/** Uses the claim of the last sign-in. Mapped groups without a value are removed whatever the next sign-in sends. */
const rehearseKnown = async (deps: CheckAccountsDeps, account: Account, settings: OauthSettings): Promise<Rehearsed> => {
  const { subject = '', email, displayName, claimedGroups = [] } = account
  const identity = { subject, email, emailVerified: true, displayName, groupValues: claimedGroups }
  return rehearseSignIn(deps, vouchedBy(identity, settings))
}

const describeUnknown = (account: Account, { groupsClaim }: OauthSettings): string | undefined => {
  const given = new Set(Object.values(groupsClaim?.mapping ?? {}))
  const lost = account.mappedGroups?.filter((name) => !given.has(name)) ?? []
  return lost.length === 0 ? undefined : `loses ${lost.join(', ')}, because no value maps to it any longer`
}

/**
 * The effect of the mapping on each known account at its next sign-in, by the claim of the last one, and the administrators
 * after that.
 */
export const checkAccounts = async (deps: CheckAccountsDeps, settings: OauthSettings): Promise<AccountsReport> => {
  const lines: string[] = []
  const elsewhere: string[] = []
  const unknown: string[] = []
  const administrators: string[] = []
  let kept = 0
  let unlinked = 0
  const tell = ({ email }: Account, effect: string | undefined) => {
    if (effect === undefined) kept += 1
    else lines.push(`${email} ${effect}`)
  }
  const administers = (account: Account) => canAdminister(deps.permissions, account, 'identity-provider')

  for await (const account of eachAccount(deps.accountStore)) {
    const { email, subject } = account
    if (subject === undefined) {
      unlinked += 1
      if (administers(account)) administrators.push(email)
    } else if (!isOfIssuer(subject, settings.issuer)) elsewhere.push(email)
    else if (isClaimKnown(account, settings)) {
      const rehearsed = await rehearseKnown(deps, account, settings)
      tell(account, describeEffect(rehearsed))
      if (rehearsed.refusal === undefined && administers(rehearsed.after ?? account)) administrators.push(email)
    } else {
      unknown.push(email)
      const effect = describeUnknown(account, settings)
      if (effect !== undefined) lines.push(`${email} ${effect}`)
      if (administers(account)) administrators.push(`${email} (unless its claim says otherwise)`)
    }
  }
  const tellCount = (count: number, text: string) => (count === 0 ? [] : [`${count} ${text}`])
  return {
    lines: [
      ...lines,
      ...tellCount(kept, `more ${kept === 1 ? 'account has' : 'accounts have'} signed in here before, with no change.`),
      ...tellCount(
        unknown.length,
        `without a known claim (the last sign-in had none), decided at the next sign-in: ${list(unknown)}`,
      ),
      ...tellCount(unlinked, 'that have never signed in through this provider: joined by a verified email, groups decided then.'),
      ...tellCount(elsewhere.length, `bound to another provider, cannot sign in through this one: ${list(elsewhere)}`),
      `Administrators after that: ${list(administrators) || 'none'}`,
    ],
    findings:
      administrators.length > 0
        ? []
        : [
            note(
              'No known account could administer. Map a value to such a group, or grant one to an account whose email is verified at the provider.',
            ),
          ],
  }
}
