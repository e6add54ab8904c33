import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import type { AccountChange } from '../store/account-store.ts'
import { nameSkeleton } from './name-skeleton.ts'

/** The letters and digits of a name in their visual form: `[Server]` becomes `server`. */
const lettersOf = (name: string): string => nameSkeleton(nameSkeleton(name).replaceAll(/[^\p{L}\p{N}]/gu, ''))

const reserved = new Set(['admin', 'system', 'server', 'operator', 'moderator', 'console', 'gatehouse'].map(lettersOf))

/** The error for a name that another account has, ignoring case and look-alike letters. */
export const displayNameTaken = (): AppError =>
  new AppError('conflict', 'display-name-taken', 'Another account has this or a similar display name. Choose another.', {
    errors: [{ pointer: '/displayName', message: 'is taken' }],
  })

/** Throws `display-name-taken` for a name that players would mistake for the server itself. */
export const refuseReservedName = (displayName: string): void => {
  if (!reserved.has(lettersOf(displayName))) return
  throw new AppError('conflict', 'display-name-taken', 'That display name is reserved for the server. Choose another.', {
    errors: [{ pointer: '/displayName', message: 'is reserved' }],
  })
}

/** Options for setting a display name. */
export type NameChoice = {
  /** Allows a name that another account has. */
  readonly force?: boolean | undefined
}

/**
 * The constraint for a change that gives `after` its name: no other account may have it. Throws `display-name-taken` for a reserved name,
 * forced or not. An unchanged name is always allowed.
 */
export const claimName = (
  before: Account | undefined,
  after: Account,
  { force = false }: NameChoice = {},
): Pick<AccountChange<unknown>, 'ownName'> => {
  if (before?.displayName === after.displayName) return {}
  refuseReservedName(after.displayName)
  return force ? {} : { ownName: true }
}
