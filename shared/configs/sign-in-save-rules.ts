import { AppError } from '../kernel/errors.ts'
import { coversRules } from '../permissions/covers-rules.ts'
import { operatorRules } from '../permissions/operator-rules.ts'
import type { RuleSet } from '../permissions/rules.ts'
import { isSame } from './list-changes-differences.ts'
import type { ServerConfig } from './server-config.ts'

/** `server.yaml` as it is stored, and as it shall be. */
export type ServerTransition = { readonly current: ServerConfig; readonly next: ServerConfig }

/** What decides who somebody is, in which groups, and where their token goes. */
const trustOf = ({ auth: { provider, oauth } }: ServerConfig) => ({ provider, oauth })

/**
 * Throws `forbidden` `beyond-own-permissions` where the provider or anything of `auth.oauth` would change, unless `actor` holds
 * everything: who names the identity provider, its mapping or a return address can sign in as any administrator.
 */
export const refuseForeignSignIn = (actor: RuleSet, { current, next }: ServerTransition): void => {
  if (isSame(trustOf(current), trustOf(next)) || coversRules(actor, operatorRules)) return
  throw new AppError(
    'forbidden',
    'beyond-own-permissions',
    'Whom this server takes people for is decided by auth.provider and auth.oauth: leave them as they are, or ask somebody who holds "*".',
  )
}
