import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../accounts/account.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { isBeyondOwn } from '../accounts/who-may-grant.ts'
import { decidePermission } from '../permissions/decide-permission.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { ActiveSanctions } from './active/follow-sanctions.ts'
import { findAddressRange, prefixOf, readAddressBits } from './address-range.ts'
import type { Sanction } from './sanction.ts'

/** The permission to impose or end a ban without an end. */
export const foreverPermission = 'admin.sanctions.forever'

export type SanctionRulesDeps = {
  readonly accountStore: Pick<AccountStore, 'isAdministrator' | 'listAdministrators'>
  readonly permissions: Permissions
  readonly inForce: Pick<ActiveSanctions, 'findBan'>
}

/** A sanction with its account, if the account exists. */
export type Aimed = { readonly sanction: Sanction; readonly account: Account | undefined }

const covers = (range: string, address: string): boolean => {
  const [parsedRange, bits] = [findAddressRange(range), readAddressBits(address)]
  return (
    parsedRange !== undefined &&
    bits !== undefined &&
    prefixOf(parsedRange.bits, parsedRange.length) === prefixOf(bits, parsedRange.length)
  )
}

const refuseOneself = (actor: Actor, { email, address }: Sanction, from: string | undefined): void => {
  const isOwnAddress = address !== undefined && from !== undefined && covers(address, from)
  if (email !== actor.email && !isOwnAddress) return
  const what = isOwnAddress ? 'Your own address is among those' : 'That is your own account'
  throw new AppError('forbidden', 'not-oneself', `${what}. You cannot sanction yourself or end your own sanction.`)
}

const refuseForever = ({ rules, verified }: Actor, { kind, until }: Sanction): void => {
  if (kind !== 'ban' || until !== undefined) return
  if (decidePermission(rules, foreverPermission, { verified, privileged: true }).allowed) return
  const detail = `A ban without an end needs the permission "${foreverPermission}"; bans for a time do not.`
  throw new AppError('forbidden', 'missing-permission', detail)
}

/** Throws `conflict` `last-administrator` for a ban of the last administrator who is not banned. */
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
    'This is the last administrator who is not banned. Make another account an administrator first.',
  )
}

/**
 * Throws AppError `forbidden` unless `actor`, at the address `from`, may end the sanction:
 * - `not-oneself` for a sanction of the actor's own.
 * - `beyond-own-permissions` if the account holds a permission that the actor lacks.
 * - `missing-permission` for a ban without an end.
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

/** Throws as `refuseEnding`, and `conflict` `last-administrator`. The bans in `inForce` must be current. */
export const refuseImposing = async (deps: SanctionRulesDeps, actor: Actor, aimed: Aimed, from?: string): Promise<void> => {
  refuseEnding(deps, actor, aimed, from)
  await refuseLastAdministrator(deps, aimed)
}
