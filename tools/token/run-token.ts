import { parseArgs } from 'node:util'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { AccountService } from '../../shared/domain/accounts/service/account-service.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { type ApiTokens, refuseUnknownPermissions } from '../../shared/domain/api-tokens/api-tokens.ts'
import type { PermissionNames } from '../../shared/domain/permissions/permission-names.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { readInstantMs } from '../../shared/kernel/formats/instant.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'

const tokenUsage = `npm run token -- create <email> <name> <permission>... [--expires 2027-01-01T00:00:00Z]
npm run token -- list [email]
npm run token -- delete <id>
  create prints the API token alone, once. A permission is a name, a wildcard such as 'admin.users.*', or '*' in quotes.
  The token acts as the account, with those of its permissions that the token includes. Without --expires it does not expire.
  list prints id, email, creation, end, last use, name and permissions, separated by tabs.
  delete ends a token and closes its connections.`

type Order =
  | {
      readonly verb: 'create'
      readonly email: string
      readonly name: string
      readonly permissions: readonly string[]
      readonly expiresAt: string | undefined
    }
  | { readonly verb: 'list'; readonly email: string | undefined }
  | { readonly verb: 'delete'; readonly id: string }

/** Reads the arguments after the script's name. Returns the reason as a text if they are wrong. */
const parseTokenArguments = (args: readonly string[]): Order | string => {
  let positionals: string[]
  let expires: string | undefined
  try {
    const parsed = parseArgs({ args: [...args], options: { expires: { type: 'string' } }, allowPositionals: true })
    positionals = parsed.positionals
    expires = parsed.values.expires
  } catch {
    return 'An option is unknown or has no value.'
  }
  const [verb, first, name, ...permissions] = positionals
  if (expires !== undefined && verb !== 'create') return '--expires is for create.'
  if (verb === 'list') return name === undefined ? { verb, email: first } : 'Give at most one email.'
  if (verb === 'delete')
    return first !== undefined && name === undefined ? { verb, id: first } : 'Give one id. `list` shows them.'
  if (verb !== 'create') return 'Give create, list or delete.'
  if (first === undefined || name === undefined || permissions.length === 0)
    return 'Give an email, a name and at least one permission.'
  if (expires !== undefined && readInstantMs(expires) === undefined)
    return '--expires is not a time. Write it like 2027-01-01T00:00:00Z.'
  return { verb, email: first, name, permissions: [...new Set(permissions)], expiresAt: expires }
}

/** The services of the task, and the operator of the machine. */
export type TokenTask = {
  readonly accounts: Pick<AccountService, 'getAccount'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly apiTokens: ApiTokens
  readonly names: PermissionNames
  readonly operator: Actor
  close(): Promise<void>
}

type TokenEdges = {
  readonly args: readonly string[]
  readonly openTask: () => Promise<TokenTask>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const createToken = async (task: TokenTask, order: Extract<Order, { verb: 'create' }>): Promise<string> => {
  const { email, name, permissions, expiresAt } = order
  await refuseUnknownPermissions(task.names, permissions)
  const owner = await task.accounts.getAccount(email)
  const change = { playerId: owner.playerId, actor: task.operator, target: owner.email }
  const wanted = { name, permissions, ...(expiresAt !== undefined && { expiresAt }) }
  return `${(await task.apiTokens.create(change, wanted)).token}\n`
}

const listTokens = async ({ accounts, accountStore, apiTokens }: TokenTask, email: string | undefined): Promise<string> => {
  const all = await apiTokens.listAll()
  const owner = email === undefined ? undefined : await accounts.getAccount(email)
  const lines: string[] = []
  for (const token of all) {
    if (owner !== undefined && token.playerId !== owner.playerId) continue
    const { id, playerId, createdAt, expiresAt = 'never', lastUsedAt = 'never', name, permissions } = token
    const holder = owner ?? (await accountStore.findByPlayerId(playerId))
    lines.push([id, holder?.email ?? playerId, createdAt, expiresAt, lastUsedAt, name, permissions.join(' ')].join('\t'))
  }
  return lines.map((line) => `${line}\n`).join('')
}

const deleteToken = async ({ accountStore, apiTokens, operator }: TokenTask, id: string): Promise<string> => {
  const playerId = await apiTokens.findOwner(id)
  const target = playerId === undefined ? undefined : ((await accountStore.findByPlayerId(playerId))?.email ?? playerId)
  if (playerId === undefined || target === undefined || !(await apiTokens.end({ playerId, actor: operator, target }, id)))
    throw new AppError('not-found', 'not-found', `There is no API token with the id ${id}. \`list\` shows them.`)
  return `Deleted ${id} of ${target}.\n`
}

const carryOut = (task: TokenTask, order: Order): Promise<string> => {
  if (order.verb === 'create') return createToken(task, order)
  return order.verb === 'list' ? listTokens(task, order.email) : deleteToken(task, order.id)
}

/** Creates, lists or deletes API tokens. Exit code: 0 done, 1 wrong usage, 2 refused, with the reason on `complain`. */
export const runToken = async ({ args, openTask, print, complain }: TokenEdges): Promise<0 | 1 | 2> => {
  if (asksForHelp(args)) {
    print(`${tokenUsage}\n`)
    return 0
  }
  const order = parseTokenArguments(args)
  if (typeof order === 'string') {
    complain(`${order}\n${tokenUsage}\n`)
    return 1
  }
  let task: TokenTask | undefined
  try {
    task = await openTask()
    print(await carryOut(task, order))
    return 0
  } catch (error) {
    complain(`${error instanceof AppError ? error.publicDetail : error instanceof Error ? error.message : String(error)}\n`)
    return 2
  } finally {
    await task?.close()
  }
}
