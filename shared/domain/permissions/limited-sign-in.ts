import type { GrantHolder } from './account-grant.ts'

/** What decides of an account, and by what it signs in verified. */
export type SignInHolder = GrantHolder & {
  readonly passwordHash?: string
  readonly passwordKind?: 'common'
  readonly subject?: string
}

/**
 * Whether a sign-in is limited: it is unverified, and the account has a password or an identity provider. It has the permissions of
 * `defaultGroups`. The groups, grants and zones of the account count for verified sign-ins.
 */
export const isLimitedSignIn = ({ passwordHash, subject }: Omit<SignInHolder, 'groups'>, verified: boolean): boolean =>
  !verified && (passwordHash !== undefined || subject !== undefined)

/** The playerId by which zones know their owner and members: none for a limited sign-in, which owns and manages no zone. */
export const zonePlayerIdOf = (
  account: Omit<SignInHolder, 'groups'> & { readonly playerId: string },
  verified: boolean,
): string => (isLimitedSignIn(account, verified) ? '' : account.playerId)
