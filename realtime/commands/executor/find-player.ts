import type { Account } from '../../../shared/domain/accounts/account.ts'
import { decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isUuid } from '../../../shared/kernel/ids.ts'
import type { PlayerElsewhere } from '../../links/players-elsewhere.ts'
import type { CommandCaller, CommandContext, LivePlayer, LivePlayers } from '../command.ts'

/** Emails of players on other nodes are not known. */
type Named = Pick<Account, 'playerId' | 'displayName'> & { readonly email?: string }

/** A player on this node or another, who has a `world` then. */
export type FoundPlayer = LivePlayer | PlayerElsewhere

/** Accounts looked through for a display name before the caller is asked for an email instead. */
const accountsSearchedMax = 1_000
const pageSize = 200
const candidatesShown = 10

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Whether a caller may be shown emails of others. */
export const seesEmails = ({ actor }: CommandCaller): boolean =>
  decidePermission(actor.rules, 'admin.users.read', { verified: actor.verified, privileged: true }).allowed

/** Emails are for those who may see them: others would learn by trying who is in the game under which. */
export const isHiddenEmail = (caller: CommandCaller, named: string): boolean => named.includes('@') && !seesEmails(caller)

/** Which of the three names a text is. An email or id is never taken for a display name, so nobody can pose as one by theirs. */
const keyOf = (folded: string): 'email' | 'playerId' | 'displayName' =>
  folded.includes('@') ? 'email' : isUuid(folded) ? 'playerId' : 'displayName'

const createMatcher = (named: string, key = keyOf(fold(named))): ((candidate: Named) => boolean) => {
  const wanted = fold(named)
  return (candidate) => fold(candidate[key] ?? '') === wanted
}

const pickOne = <T extends Named>(found: readonly T[], caller: CommandCaller, nobody: string): T => {
  const [only, ...others] = found
  if (only === undefined) throw new AppError('not-found', 'not-found', nobody)
  if (others.length === 0) return only
  const describe = ({ displayName, playerId, email }: Named) =>
    `${displayName} (${seesEmails(caller) && email !== undefined ? `${email}, ` : ''}${playerId})`
  const shown = found.slice(0, candidatesShown).map(describe).join(', ')
  throw new AppError('conflict', 'conflict', `Several players have that name; use an email or playerId. They are: ${shown}.`)
}

/** The players of this node; throws AppError where there is no game, as on the command line. */
export const getLivePlayers = ({ live }: CommandContext): LivePlayers => {
  if (live === undefined) throw new AppError('not-found', 'not-found', 'This works in the game only.')
  return live
}

/** The players of all other nodes, none where there are no others. Throws AppError `unavailable`. */
export const listElsewhere = async ({ elsewhere, live }: CommandContext): Promise<readonly PlayerElsewhere[]> => {
  if (elsewhere === undefined || live === undefined) return []
  const here = new Set(live.listPlayers().map(({ playerId }) => playerId))
  return (await elsewhere.listPlayers()).filter(({ playerId }) => !here.has(playerId))
}

/** Nodes know names and ids of the players of others; the email leads to the id. */
const listElsewhereNamed = async (context: CommandContext, named: string): Promise<readonly PlayerElsewhere[]> => {
  const wanted = fold(named)
  const account = keyOf(wanted) === 'email' ? await context.accountStore.findByEmail(wanted) : undefined
  return (await listElsewhere(context)).filter(createMatcher(account?.playerId ?? named))
}

/**
 * The player of that display name, email or playerId, letter case aside, on any node; throws `not-found`, or `conflict` with the
 * candidates. With Redis away only those of this node are looked through, and where that finds nobody it throws `unavailable`.
 */
export const getPlayer = async (context: CommandContext, caller: CommandCaller, named: string): Promise<FoundPlayer> => {
  const here = getLivePlayers(context).listPlayers().filter(createMatcher(named))
  const isUnique = here.length > 0 && keyOf(fold(named)) !== 'displayName'
  const elsewhere = isUnique
    ? []
    : await listElsewhereNamed(context, named).catch((error: unknown) => {
        if (here.length === 0) throw error
        return []
      })
  return pickOne<FoundPlayer>([...here, ...elsewhere], caller, 'Nobody of that name is in the game; see /who.')
}

/** Those in the game here, and one that is found by the name itself: who is meant where very many have that text in them. */
const listBearers = async ({ accountStore, live }: CommandContext, named: string): Promise<readonly Account[]> => {
  const players = live?.listPlayers().filter(createMatcher(named, 'displayName')) ?? []
  const found = await Promise.all([
    accountStore.findByName(named),
    ...players.map(({ playerId }) => accountStore.findByPlayerId(playerId)),
  ])
  return found.filter((account) => account !== undefined)
}

const listByDisplayName = async (context: CommandContext, named: string): Promise<readonly Account[]> => {
  const { accountStore } = context
  const matches = createMatcher(named, 'displayName')
  const found: Account[] = []
  let cursor: string | undefined
  for (let searched = 0; searched < accountsSearchedMax; searched += pageSize) {
    const query = { text: named.trim(), limit: pageSize }
    const page = await accountStore.listAccounts(cursor === undefined ? query : { ...query, cursor })
    found.push(...page.accounts.filter(matches))
    cursor = page.nextCursor
    if (cursor === undefined) return found
  }
  const known = [...found, ...(await listBearers(context, named))].filter(matches)
  if (known.length > 0) return [...new Map(known.map((account) => [account.playerId, account])).values()]
  throw new AppError('conflict', 'conflict', 'Too many accounts are similar to that name; use the email or the playerId.')
}

/** The account of that display name, email or playerId, letter case aside; throws `not-found`, or `conflict` with the candidates. */
export const getNamedAccount = async (context: CommandContext, caller: CommandCaller, named: string): Promise<Account> => {
  const wanted = fold(named)
  const { accountStore } = context
  const byKey = {
    email: async () => [await accountStore.findByEmail(wanted)],
    playerId: async () => [await accountStore.findByPlayerId(wanted)],
    displayName: () => listByDisplayName(context, named),
  }
  const found = await byKey[keyOf(wanted)]()
  return pickOne(
    found.filter((account) => account !== undefined),
    caller,
    'There is no account of that name.',
  )
}

/** A deleted account of that email, playerId or display name, as long as it is kept; throws `conflict` with the candidates. */
export const findDeletedAccount = async (
  { deletedAccounts }: Pick<CommandContext, 'deletedAccounts'>,
  caller: CommandCaller,
  named: string,
): Promise<Account | undefined> => {
  const wanted = fold(named)
  if (keyOf(wanted) === 'playerId') return deletedAccounts.find(wanted)
  const [last, ...others] = await deletedAccounts.listNamed(named)
  // An email can be used again: the last account that had it is meant.
  return last === undefined || keyOf(wanted) === 'email' ? last : pickOne([last, ...others], caller, '')
}

/** What the answer of a command calls a deleted account. */
export const nameOfDeleted = ({ displayName }: Pick<Account, 'displayName'>): string => `${displayName} (deleted)`

/** The account of that display name, whatever it looks like; throws as `getNamedAccount`. For what nobody would want to be done to them. */
export const getAccountCalled = async (context: CommandContext, caller: CommandCaller, named: string): Promise<Account> =>
  pickOne(await listByDisplayName(context, named), caller, 'There is no account of that name.')
