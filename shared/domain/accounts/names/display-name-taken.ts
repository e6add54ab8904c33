import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import type { AccountChange } from '../store/account-store.ts'
import { nameSkeleton } from './name-skeleton.ts'

/** The letters and digits of a name as they look: `[Server]` is `server`. */
const lettersOf = (name: string): string => nameSkeleton(nameSkeleton(name).replaceAll(/[^\p{L}\p{N}]/gu, ''))

const reserved = new Set(['admin', 'system', 'server', 'operator', 'moderator', 'console', 'gatehouse'].map(lettersOf))

/** Another account has the name, letter case and look-alikes aside. */
export const displayNameTaken = (): AppError =>
  new AppError(
    'conflict',
    'display-name-taken',
    'Another account has that display name, or one that looks like it. Choose another.',
    { errors: [{ pointer: '/displayName', message: 'is taken' }] },
  )

/** Throws `display-name-taken` for a name that a player would take for the server itself. */
export const refuseReservedName = (displayName: string): void => {
  if (!reserved.has(lettersOf(displayName))) return
  throw new AppError('conflict', 'display-name-taken', 'That display name is reserved for the server. Choose another.', {
    errors: [{ pointer: '/displayName', message: 'is reserved' }],
  })
}

/** How a display name is set. */
export type NameChoice = {
  /** Also when another account has it. */
  readonly force?: boolean | undefined
}

/**
 * What a change that gives `after` its name has to ask the store for: no other account may have the name. Throws `display-name-taken` for a
 * reserved name, forced or not. A name that stays as it is counts as given before.
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
