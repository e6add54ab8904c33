import { AppError } from '../../kernel/errors.ts'
import { coversRules } from '../../permissions/covers-rules.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { RuleSet } from '../../permissions/rules.ts'
import { isSame } from '../compare/list-changes-differences.ts'
import type { ServerConfig } from './server-config.ts'

/** `server.yaml` as it is stored, and as it shall be. */
export type ServerTransition = { readonly current: ServerConfig; readonly next: ServerConfig }

/** What decides who somebody is, in which groups, and where their token goes. */
const trustOf = ({ auth: { provider, oauth } }: ServerConfig) => ({ provider, oauth })

const isOpened = ({ current, next }: ServerTransition): boolean =>
  current.auth.local.requirePassword && !next.auth.local.requirePassword

/**
 * Throws `forbidden` `beyond-own-permissions` where `auth.oauth` or the provider would change, or passwords would no longer be asked for, unless `actor` holds everything. Who names the identity provider can sign in as any administrator; without passwords anybody signs in as any player.
 */
export const refuseForeignSignIn = (actor: RuleSet, transition: ServerTransition): void => {
  const isTrusted = isSame(trustOf(transition.current), trustOf(transition.next)) && !isOpened(transition)
  if (isTrusted || coversRules(actor, operatorRules)) return
  throw new AppError(
    'forbidden',
    'beyond-own-permissions',
    'Whom this server takes people for is decided by auth.provider, auth.oauth and auth.local.requirePassword: leave the first two as they are and the last on, or ask somebody who holds "*".',
  )
}
