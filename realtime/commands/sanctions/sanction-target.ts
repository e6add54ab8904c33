import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { findAddressRange, formatAddressRange } from '../../../shared/domain/sanctions/address-range.ts'
import type { Sanction } from '../../../shared/domain/sanctions/sanction.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { CommandCaller, CommandContext } from '../command.ts'
import { findDeletedAccount, getAccountCalled, getNamedAccount, nameOfDeleted } from '../executor/find-player.ts'

/** Whom a sanction is of, and what they are called. */
export type SanctionTarget = {
  readonly of: { readonly email: string } | { readonly address: string }
  readonly name: string
  /** That no account has the email now, and what follows from it. */
  readonly note?: string
}

const noAccount = 'No account has that email now: it counts once one does.'

/** What a name stands for that no account bears: a deleted account, or an email. Else undefined. */
const findWithoutAccount = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<SanctionTarget | undefined> => {
  const deleted = await findDeletedAccount(context, caller, named)
  const email = deleted?.email ?? normalizeEmail(named)
  if (email === undefined) return undefined
  // The email of a deleted account may be another's by now.
  const isUsed = (await context.accountStore.findByEmail(email)) !== undefined
  const name = deleted === undefined ? email : nameOfDeleted(deleted)
  return { of: { email }, name, ...(!isUsed && { note: noAccount }) }
}

/** The account of that name, in the game or not, or an account that is deleted, or an email that no account has yet; throws as `getNamedAccount`. */
export const getSanctionedAccount = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<SanctionTarget> => {
  const isMissing = (error: unknown): boolean => error instanceof AppError && error.kind === 'not-found'
  try {
    const { email, displayName } = await getNamedAccount(context, caller, named).catch((error: unknown) => {
      // Names of before 2026-11-26 may look like an email, an address or an id.
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

/** An address or a CIDR, else as `getSanctionedAccount`. */
export const getBanTarget = async (context: CommandContext, caller: CommandCaller, named: string): Promise<SanctionTarget> => {
  const range = findAddressRange(named)
  if (range === undefined) return getSanctionedAccount(context, caller, named)
  const address = formatAddressRange(range)
  return { of: { address }, name: address }
}

/** Bans of one IPv6 address from before they were of its /64 are stored as that address. */
const spelledNow = (address: string | undefined): string | undefined => {
  const range = address === undefined ? undefined : findAddressRange(address)
  return range && formatAddressRange(range)
}

/** Those in force of that kind and target, newest first. */
export const listInForce = (
  { sanctionsInForce }: CommandContext,
  kind: Sanction['kind'],
  { of }: SanctionTarget,
): readonly Sanction[] =>
  sanctionsInForce
    .list()
    .filter((one) => one.kind === kind && ('email' in of ? one.email === of.email : spelledNow(one.address) === of.address))

/** The answer of a command that imposed a sanction, with what is to be known besides. */
export const tellImposed = (text: string, { note }: SanctionTarget): string => (note === undefined ? text : `${text} ${note}`)
