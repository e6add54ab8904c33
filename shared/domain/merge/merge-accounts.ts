import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../accounts/account.ts'
import type { Actor } from '../accounts/actor.ts'
import { normalizeEmail } from '../accounts/email.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { ApiTokens } from '../api-tokens/api-tokens.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Sanction } from '../sanctions/sanction.ts'
import type { SanctionService } from '../sanctions/sanction-service.ts'
import type { Zone } from '../zones/zone.ts'
import type { ZoneService } from '../zones/zone-service.ts'

export type MergeDeps = {
  readonly accounts: Pick<AccountService, 'getAccount' | 'absorb' | 'removeAccount'>
  readonly zones: Pick<ZoneService, 'listZones' | 'getZone' | 'changeZone'>
  readonly sanctions: Pick<SanctionService, 'listSanctions' | 'impose'>
  readonly apiTokens: Pick<ApiTokens, 'list'>
}

/** The effects of a merge. Steps that an earlier call has done are not listed. */
export type Merge = {
  /** The remaining account after the merge. */
  readonly into: Account
  readonly addedGroups: readonly string[]
  readonly addedGrants: number
  readonly movesPassword: boolean
  /** Active sanctions that the remaining account gets too. */
  readonly sanctions: readonly Sanction[]
  readonly zones: readonly Pick<Zone, 'id' | 'name'>[]
  /** The API tokens that end. */
  readonly apiTokens: number
}

const findAccount = ({ accounts }: MergeDeps, email: string): Promise<Account | undefined> =>
  accounts.getAccount(email).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  })

type Accounts = { readonly from: Account; readonly into: Account }

const attemptsMax = 5
const pageSize = 200

const needs = ({ rules, verified }: Actor, permission: string, what: string): void => {
  if (decidePermission(rules, permission, { verified, privileged: true }).allowed) return
  throw new AppError('forbidden', 'missing-permission', `${what} The merge needs the permission "${permission}".`)
}

const listActive = async ({ sanctions }: MergeDeps, email: string): Promise<readonly Sanction[]> => {
  const found: Sanction[] = []
  let cursor: string | undefined
  do {
    const page = await sanctions.listSanctions({ email, active: true, limit: pageSize, ...(cursor !== undefined && { cursor }) })
    found.push(...page.sanctions)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

const isSame = (a: Sanction, b: Sanction): boolean => a.kind === b.kind && a.reason === b.reason && a.until === b.until

/** Active sanctions of `from` that `into` does not have yet, oldest first. */
const listMissing = async (deps: MergeDeps, { from, into }: Accounts): Promise<readonly Sanction[]> => {
  const [theirs, own] = await Promise.all([listActive(deps, from.email), listActive(deps, into.email)])
  return theirs.filter((one) => !own.some((other) => isSame(one, other))).toReversed()
}

const concerns = ({ owner, members = [] }: Zone, { playerId }: Account): boolean =>
  owner === playerId || members.includes(playerId)

const listConcerned = async ({ zones }: MergeDeps, from: Account): Promise<readonly Zone[]> =>
  (await zones.listZones()).map(({ zone }) => zone).filter((zone) => concerns(zone, from))

/** Repeats on a conflict with another writer of the zone. */
const moveZone = async ({ zones }: MergeDeps, actor: Actor, id: string, { from, into }: Accounts): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const { zone, version } = await zones.getZone(id)
      if (!concerns(zone, from)) return
      const members = zone.members?.map((member) => (member === from.playerId ? into.playerId : member)) ?? []
      if (zone.owner === from.playerId) await zones.changeZone(actor, id, { owner: into.playerId }, version)
      else await zones.changeZone(actor, id, { members: [...new Set(members)] }, version)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return
      if (!(error instanceof AppError && error.kind === 'stale') || attempt === attemptsMax) throw error
    }
}

/** Moves the zones of `from`, an account that no longer exists, if `into` still does. */
const returnZones = async (deps: MergeDeps, actor: Actor, both: Accounts): Promise<void> => {
  if ((await findAccount(deps, both.from.email)) !== undefined || (await findAccount(deps, both.into.email)) === undefined) return
  const zones = await listConcerned(deps, both.from)
  for (const { id } of [...zones, ...zones]) await moveZone(deps, actor, id, both)
}

const readAccounts = async ({ accounts }: MergeDeps, texts: { readonly from: string; readonly into: string }) => {
  const from = await accounts.getAccount(texts.from)
  if (normalizeEmail(texts.into) === from.email)
    throw new AppError('unprocessable', 'rule-broken', 'An account cannot be merged into itself. Name another account.')
  return { from, into: await accounts.getAccount(texts.into) }
}

/** What `mergeAccounts` would do now. Throws as it would before its first step. */
export const planMerge = async (
  deps: MergeDeps,
  actor: Actor,
  texts: { readonly from: string; readonly into: string },
): Promise<Merge & { readonly from: Account }> => {
  const both = await readAccounts(deps, texts)
  const { from, into } = both
  const united = await deps.accounts.absorb(actor, into.email, from, { dryRun: true })
  const [sanctions, zones, tokens] = await Promise.all([
    listMissing(deps, both),
    listConcerned(deps, from),
    deps.apiTokens.list(from.playerId),
  ])
  if (sanctions.length > 0) needs(actor, 'admin.sanctions.write', `${from.email} has active sanctions.`)
  if (zones.length > 0) needs(actor, 'admin.instances.write', `${from.email} owns zones or is a member of some.`)
  return {
    from,
    into: united,
    addedGroups: united.groups.filter((name) => !into.groups.includes(name)),
    addedGrants: (united.grants?.length ?? 0) - (into.grants?.length ?? 0),
    movesPassword: into.passwordHash === undefined && united.passwordHash !== undefined,
    sanctions,
    zones: zones.map(({ id, name }) => ({ id, name })),
    apiTokens: tokens.length,
  }
}

/**
 * Merges an account into another. Each step is one durable, audited write, and a step that is done is skipped: after a crash the same call
 * finishes the merge. Sanctions come first, so that no moment lifts a ban. They stay with the old email too. The deletion comes last, so
 * that nothing is lost.
 */
export const mergeAccounts = async (
  deps: MergeDeps,
  actor: Actor,
  texts: { readonly from: string; readonly into: string },
  address: string | undefined,
): Promise<Merge> => {
  const { from, ...merge } = await planMerge(deps, actor, texts)
  const both = { from, into: merge.into }
  for (const { kind, reason, note, until } of merge.sanctions) {
    const copy = {
      kind,
      email: both.into.email,
      reason,
      ...(note !== undefined && { note }),
      ...(until !== undefined && { until }),
    }
    await deps.sanctions.impose(actor, copy, address)
  }
  const into = await deps.accounts.absorb(actor, both.into.email, from)
  // Twice: a zone that the owner is also a member of takes two writes.
  for (const { id } of [...merge.zones, ...merge.zones]) await moveZone(deps, actor, id, both)
  try {
    await deps.accounts.removeAccount({ ...actor, mergedInto: into.email }, from.email)
  } catch (error) {
    // The other account was deleted or merged in the meantime, so this one stays and gets its zones back.
    if (error instanceof AppError && error.kind === 'not-found') await returnZones(deps, actor, { from: into, into: from })
    throw error
  }
  return { ...merge, into }
}
