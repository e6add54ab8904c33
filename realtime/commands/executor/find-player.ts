import type { Account } from '../../../shared/domain/accounts/account.ts'
import { decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isUuid } from '../../../shared/kernel/ids.ts'
import type { PlayerElsewhere } from '../../node-links/remote-players.ts'
import type { CommandCaller, CommandContext, LivePlayer, LivePlayers } from '../command.ts'

/** The emails of players on other nodes are unknown. */
type Named = Pick<Account, 'playerId' | 'displayName'> & { readonly email?: string }

/** A player on this node, or on another node if `world` is present. */
export type FoundPlayer = LivePlayer | PlayerElsewhere

/** The number of accounts to search for a display name. Beyond it the caller must use an email. */
const accountsSearchedMax = 1_000
const pageSize = 200
const candidatesShown = 10

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Whether the caller may see the emails of other players. */
export const seesEmails = ({ actor }: CommandCaller): boolean =>
  decidePermission(actor.rules, 'admin.users.read', { verified: actor.verified, privileged: true }).allowed

/** Without this permission a name that looks like an email matches no player. Otherwise callers could guess the emails of players. */
export const isHiddenEmail = (caller: CommandCaller, named: string): boolean => named.includes('@') && !seesEmails(caller)

/**
 * The kind of name that a text is. A text that looks like an email or id is never a display name, so players cannot impersonate
 * others.
 */
const keyOf = (folded: string): 'email' | 'playerId' | 'displayName' =>
  folded.includes('@') ? 'email' : isUuid(folded) ? 'playerId' : 'displayName'

const createMatcher = (named: string, key = keyOf(fold(named))): ((candidate: Named) => boolean) => {
  const folded = fold(named)
  return (candidate) => fold(candidate[key] ?? '') === folded
}

const pickOne = <T extends Named>(found: readonly T[], caller: CommandCaller, nobody: string): T => {
  const [only, ...others] = found
  if (only === undefined) throw new AppError('not-found', 'not-found', nobody)
  if (others.length === 0) return only
  const describe = ({ displayName, playerId, email }: Named) =>
    `${displayName} (${seesEmails(caller) && email !== undefined ? `${email}, ` : ''}${playerId})`
  const shown = found.slice(0, candidatesShown).map(describe).join(', ')
  throw new AppError(
    'conflict',
    'conflict',
    `Several players have that name. Use the email or playerId of one of them: ${shown}.`,
  )
}

/** The players of this node. Throws AppError if there is no game, as on the command line. */
export const getLivePlayers = ({ live }: CommandContext): LivePlayers => {
  if (live === undefined) throw new AppError('not-found', 'not-found', 'This command only works in the game.')
  return live
}

/** The players of all other nodes. Throws AppError `unavailable`. */
export const listElsewhere = async ({ elsewhere, live }: CommandContext): Promise<readonly PlayerElsewhere[]> => {
  if (elsewhere === undefined || live === undefined) return []
  const here = new Set(live.listPlayers().map(({ playerId }) => playerId))
  return (await elsewhere.listPlayers()).filter(({ playerId }) => !here.has(playerId))
}

/** Nodes know the names and ids of players elsewhere. An email is resolved to the id first. */
const listElsewhereNamed = async (context: CommandContext, named: string): Promise<readonly PlayerElsewhere[]> => {
  const folded = fold(named)
  const account = keyOf(folded) === 'email' ? await context.accountStore.findByEmail(folded) : undefined
  return (await listElsewhere(context)).filter(createMatcher(account?.playerId ?? named))
}

/**
 * The player with that display name, email or playerId on any node, ignoring letter case. Throws `not-found`, or `conflict` with
 * the candidates. Without Redis only this node is searched, and no match throws `unavailable`.
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
  return pickOne<FoundPlayer>(
    [...here, ...elsewhere],
    caller,
    'There is no player with that name in the game. Use /who to list the players.',
  )
}

/**
 * Players on this node, and accounts whose name matches directly. This finds the right account even if many names contain the text.
 */
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
  throw new AppError('conflict', 'conflict', 'Too many accounts have a similar name. Use the email or the playerId.')
}

/**
 * The account with that display name, email or playerId, ignoring letter case. Throws `not-found`, or `conflict` with the
 * candidates.
 */
export const getNamedAccount = async (context: CommandContext, caller: CommandCaller, named: string): Promise<Account> => {
  const folded = fold(named)
  const { accountStore } = context
  const byKey = {
    email: async () => [await accountStore.findByEmail(folded)],
    playerId: async () => [await accountStore.findByPlayerId(folded)],
    displayName: () => listByDisplayName(context, named),
  }
  const found = await byKey[keyOf(folded)]()
  return pickOne(
    found.filter((account) => account !== undefined),
    caller,
    'There is no account of that name.',
  )
}

/** A deleted account with that email, playerId or display name, while it is retained. Throws `conflict` with the candidates. */
export const findDeletedAccount = async (
  { deletedAccounts }: Pick<CommandContext, 'deletedAccounts'>,
  caller: CommandCaller,
  named: string,
): Promise<Account | undefined> => {
  const folded = fold(named)
  if (keyOf(folded) === 'playerId') return deletedAccounts.find(folded)
  const [last, ...others] = await deletedAccounts.listNamed(named)
  // An email can be reused. The last account with it wins.
  return last === undefined || keyOf(folded) === 'email' ? last : pickOne([last, ...others], caller, '')
}

/** The name of a deleted account in answers of commands. */
export const nameOfDeleted = ({ displayName }: Pick<Account, 'displayName'>): string => `${displayName} (deleted)`

/**
 * The account with that display name, even if it looks like an email or id. Throws like `getNamedAccount`. Only
 * for sanctions: no player chooses a misleading name to get one.
 */
export const getAccountCalled = async (context: CommandContext, caller: CommandCaller, named: string): Promise<Account> =>
  pickOne(await listByDisplayName(context, named), caller, 'There is no account of that name.')
