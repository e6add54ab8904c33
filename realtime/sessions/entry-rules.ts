import type { Account } from '../../shared/domain/accounts/account.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { SignInRights } from '../../shared/domain/permissions/token-scope.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import { bannedBecause, type Closing, closings } from '../socket/closing.ts'

/** The permission to join the game, if `realtime.admission` requires it. */
const joinPermission = 'game.join'

/** Decides which accounts may be in the game now. */
export type EntryRules = {
  /** The closing for an account that may not be in the game, or undefined. */
  findClosing(account: Account, rights: SignInRights): Closing | undefined
}

export type EntryRulesDeps = {
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
  readonly settings: () => Pick<ServerConfig['realtime'], 'admission'>
}

export const createEntryRules = ({ permissions, activeSanctions, settings }: EntryRulesDeps): EntryRules => ({
  findClosing: (account, rights) => {
    const ban = activeSanctions.findBan(account.email)
    if (ban !== undefined) return bannedBecause(ban)
    if (settings().admission === 'everyone') return undefined
    const decision = decidePermission(permissions.rulesOfSignIn(account, rights), joinPermission, {
      verified: rights.verified,
      privileged: false,
    })
    return decision.allowed ? undefined : closings.notAdmitted
  },
})
