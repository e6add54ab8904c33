import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { findAddressRange, formatAddressRange } from '../../../shared/domain/sanctions/address-range.ts'
import type { Sanction } from '../../../shared/domain/sanctions/sanction.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { CommandCaller, CommandContext } from '../command.ts'
import { findDeletedAccount, getAccountCalled, getNamedAccount, nameOfDeleted } from '../executor/find-player.ts'

/** The target of a sanction and its name in messages. */
export type SanctionTarget = {
  readonly of: { readonly email: string } | { readonly address: string }
  readonly name: string
  /** A note that no account has this email now. */
  readonly note?: string
}

const noAccount = 'No account has that email now. The sanction applies when an account gets it.'

/** A name without an account: a deleted account or an email. Otherwise undefined. */
const findWithoutAccount = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<SanctionTarget | undefined> => {
  const deleted = await findDeletedAccount(context, caller, named)
  const email = deleted?.email ?? normalizeEmail(named)
  if (email === undefined) return undefined
  // Another account may have the email of a deleted account now.
  const isUsed = (await context.accountStore.findByEmail(email)) !== undefined
  const name = deleted === undefined ? email : nameOfDeleted(deleted)
  return { of: { email }, name, ...(!isUsed && { note: noAccount }) }
}

/** The account with that name, a deleted account, or an email without an account. Throws like `getNamedAccount`. */
export const getSanctionedAccount = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<SanctionTarget> => {
  const isMissing = (error: unknown): boolean => error instanceof AppError && error.kind === 'not-found'
  try {
    const { email, displayName } = await getNamedAccount(context, caller, named).catch((error: unknown) => {
      // Older display names may look like an email, an address or an id.
      if (isMissing(error)) return getAccountCalled(context, caller, named)
      throw error
    })
    return { of: { email }, name: displayName }
  } catch (error) {
    const target = isMissing(error) ? await findWithoutAccount(context, caller, named) : undefined
    if (target === undefined) throw error
    return target
  }
}

/** An address or a CIDR range, otherwise like `getSanctionedAccount`. */
export const getBanTarget = async (context: CommandContext, caller: CommandCaller, named: string): Promise<SanctionTarget> => {
  const range = findAddressRange(named)
  if (range === undefined) return getSanctionedAccount(context, caller, named)
  const address = formatAddressRange(range)
  return { of: { address }, name: address }
}

/** Normalises a stored address: older bans have a single IPv6 address instead of its /64. */
const spelledNow = (address: string | undefined): string | undefined => {
  const range = address === undefined ? undefined : findAddressRange(address)
  return range && formatAddressRange(range)
}

/** The active sanctions of that kind and target, newest first. */
export const listInForce = (
  { activeSanctions }: CommandContext,
  kind: Sanction['kind'],
  { of }: SanctionTarget,
): readonly Sanction[] =>
  activeSanctions
    .list()
    .filter((one) => one.kind === kind && ('email' in of ? one.email === of.email : spelledNow(one.address) === of.address))

/** The answer of a command that imposed a sanction, with the note of its target. */
export const tellImposed = (text: string, { note }: SanctionTarget): string => (note === undefined ? text : `${text} ${note}`)
