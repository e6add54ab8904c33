import type { Account } from '../../shared/domain/accounts/account.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { SanctionsInForce } from '../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import { bannedBecause, type Closing, closings } from '../socket/closing.ts'

/** What a player needs to be in the game, where `realtime.admission` says so. */
const joinPermission = 'game.join'

/** Who may be in the game at this moment. */
export type EntryRules = {
  /** Why the account may not, as its client is told; undefined when it may. */
  findClosing(account: Account, verified: boolean): Closing | undefined
}

export type EntryRulesDeps = {
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findBan'>
  readonly settings: () => Pick<ServerConfig['realtime'], 'admission'>
}

export const createEntryRules = ({ permissions, sanctionsInForce, settings }: EntryRulesDeps): EntryRules => ({
  findClosing: (account, verified) => {
    const ban = sanctionsInForce.findBan(account.email)
    if (ban !== undefined) return bannedBecause(ban)
    if (settings().admission === 'everyone') return undefined
    const decision = decidePermission(permissions.rulesOfSignIn(account, verified), joinPermission, {
      verified,
      privileged: false,
    })
    return decision.allowed ? undefined : closings.notAdmitted
  },
})
