import type { GrantHolder } from './account-grant.ts'

/** The fields of an account that decide its permissions and whether a sign-in is limited. */
export type SignInHolder = GrantHolder & {
  readonly passwordHash?: string
  readonly passwordKind?: 'common'
  readonly subject?: string
}

/**
 * Whether a sign-in is limited: it is unverified, and the account has a password or an identity provider. A limited sign-in has only
 * the permissions of `defaultGroups`. The account's own groups, grants and zones need a verified one.
 */
export const isLimitedSignIn = ({ passwordHash, subject }: Omit<SignInHolder, 'groups'>, verified: boolean): boolean =>
  !verified && (passwordHash !== undefined || subject !== undefined)

/** The playerId to match with owners and members of zones; empty for a limited sign-in, which owns and manages no zone. */
export const zonePlayerIdOf = (
  account: Omit<SignInHolder, 'groups'> & { readonly playerId: string },
  verified: boolean,
): string => (isLimitedSignIn(account, verified) ? '' : account.playerId)
