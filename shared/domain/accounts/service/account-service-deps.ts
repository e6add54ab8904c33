import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import type { PasswordHasher } from '../../passwords/passwords.ts'
import type { Permissions } from '../../permissions/permissions.ts'
import type { TokenStore } from '../../tokens/tokens.ts'
import type { DeletedAccounts } from '../deleted-accounts.ts'
import type { AccountStore } from '../store/account-store.ts'

/** Dependencies of account changes; `accountStore` counts administrators by the same `permissions`. */
export type AccountServiceDeps = {
  readonly accountStore: AccountStore
  readonly deletedAccounts: DeletedAccounts
  readonly permissions: Permissions
  /** Whether the account with that email is banned now. */
  readonly isBanned: (email: string) => boolean
  /** Moves the sanctions of one email to another when its account moves. */
  readonly moveSanctions: (from: string, to: string) => Promise<void>
  readonly passwords: Pick<PasswordHasher, 'hash'>
  readonly tokens: Pick<TokenStore, 'ping' | 'revokeAccount' | 'endAccount'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}
