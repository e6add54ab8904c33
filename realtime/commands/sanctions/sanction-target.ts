import { AppError } from '../../../shared/kernel/errors.ts'
import { findAddressRange, formatAddressRange } from '../../../shared/sanctions/address-range.ts'
import type { Sanction } from '../../../shared/sanctions/sanction.ts'
import type { CommandCaller, CommandContext } from '../command.ts'
import { getAccountCalled, getNamedAccount } from '../executor/find-player.ts'

/** Whom a sanction is of, and what they are called. */
export type SanctionTarget = {
  readonly of: { readonly email: string } | { readonly address: string }
  readonly name: string
}

/** The account of that name, in the game or not; throws as `getNamedAccount`. */
export const getSanctionedAccount = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<SanctionTarget> => {
  const { email, displayName } = await getNamedAccount(context, caller, named).catch((error: unknown) => {
    // Names of before 2026-11-26 may look like an email, an address or an id.
    if (error instanceof AppError && error.kind === 'not-found') return getAccountCalled(context, caller, named)
    throw error
  })
  return { of: { email }, name: displayName }
}

/** An address or a CIDR, else as `getSanctionedAccount`. */
export const getBanTarget = async (context: CommandContext, caller: CommandCaller, named: string): Promise<SanctionTarget> => {
  const range = findAddressRange(named)
  if (range === undefined) return getSanctionedAccount(context, caller, named)
  const address = formatAddressRange(range)
  return { of: { address }, name: address }
}

/** Those in force of that kind and target, newest first. */
export const listInForce = (
  { sanctionsInForce }: CommandContext,
  kind: Sanction['kind'],
  { of }: SanctionTarget,
): readonly Sanction[] =>
  sanctionsInForce
    .list()
    .filter((one) => one.kind === kind && ('email' in of ? one.email === of.email : one.address === of.address))
