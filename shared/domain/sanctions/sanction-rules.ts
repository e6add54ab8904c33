import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../accounts/account.ts'
import { isBeyondOwn } from '../accounts/account-rules.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { findAddressRange, prefixOf, readAddressBits } from './address-range.ts'
import type { SanctionsInForce } from './in-force/sanctions-in-force.ts'
import type { Sanction } from './sanction.ts'

/** What a ban without an end needs, to make and to end. */
export const foreverPermission = 'admin.sanctions.forever'

export type SanctionRulesDeps = {
  readonly accountStore: Pick<AccountStore, 'isAdministrator' | 'listAdministrators'>
  readonly permissions: Permissions
  readonly inForce: Pick<SanctionsInForce, 'findBan'>
}

/** A sanction, and whom it is of where that is an account that there is. */
export type Aimed = { readonly sanction: Sanction; readonly account: Account | undefined }

const covers = (range: string, address: string): boolean => {
  const [found, bits] = [findAddressRange(range), readAddressBits(address)]
  return found !== undefined && bits !== undefined && prefixOf(found.bits, found.length) === prefixOf(bits, found.length)
}

const refuseOneself = (actor: Actor, { email, address }: Sanction, from: string | undefined): void => {
  const isOwnAddress = address !== undefined && from !== undefined && covers(address, from)
  if (email !== actor.email && !isOwnAddress) return
  const what = isOwnAddress ? 'Your own address is among those' : 'That is your own account'
  throw new AppError('forbidden', 'not-oneself', `${what}: nobody sanctions themself, or ends a sanction of their own.`)
}

const refuseForever = ({ rules, verified }: Actor, { kind, until }: Sanction): void => {
  if (kind !== 'ban' || until !== undefined) return
  if (decidePermission(rules, foreverPermission, { verified, privileged: true }).allowed) return
  const detail = `A ban without an end needs the permission "${foreverPermission}"; bans for a time do not.`
  throw new AppError('forbidden', 'missing-permission', detail)
}

/** Throws `conflict` `last-administrator` for a ban that would leave nobody who can administer and is not banned. */
const refuseLastAdministrator = async (
  { accountStore, inForce }: SanctionRulesDeps,
  { sanction: { kind }, account }: Aimed,
): Promise<void> => {
  if (kind !== 'ban' || account === undefined || !accountStore.isAdministrator(account)) return
  const others = (await accountStore.listAdministrators()).filter(({ email }) => email !== account.email)
  if (others.some(({ email }) => inForce.findBan(email) === undefined)) return
  throw new AppError(
    'conflict',
    'last-administrator',
    'That is the last account that can administer and is not banned; make somebody else one first.',
  )
}

/**
 * Throws AppError unless `actor`, at the address `from`, may end that sanction: `forbidden` for one of their own (`not-oneself`), of an
 * account that holds what they lack (`beyond-own-permissions`), and of a ban without an end (`missing-permission`).
 */
export const refuseEnding = (deps: SanctionRulesDeps, actor: Actor, aimed: Aimed, from?: string): void => {
  const { sanction, account } = aimed
  refuseOneself(actor, sanction, from)
  if (account !== undefined && isBeyondOwn(deps.permissions, actor.rules, { before: account, after: account })) {
    const detail =
      'That account holds a permission that you lack. Ask an admin who has it. You can kick a player who uses its email without its password.'
    throw new AppError('forbidden', 'beyond-own-permissions', detail)
  }
  refuseForever(actor, sanction)
}

/** Throws as `refuseEnding`, and `conflict` `last-administrator`. Bans are to be current when it is asked. */
export const refuseImposing = async (deps: SanctionRulesDeps, actor: Actor, aimed: Aimed, from?: string): Promise<void> => {
  refuseEnding(deps, actor, aimed, from)
  await refuseLastAdministrator(deps, aimed)
}
