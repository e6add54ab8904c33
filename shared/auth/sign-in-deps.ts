import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { Configs } from '../configs/in-force/configs.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { AuthProvider } from './provider/provider.ts'
import type { TokenStore } from './tokens/tokens.ts'

export type SignInDeps = {
  readonly provider: AuthProvider
  readonly accounts: Pick<AccountService, 'claimAdministrator' | 'hasAdministrator'>
  readonly accountStore: Pick<AccountStore, 'change' | 'findByEmail' | 'findByPlayerId'>
  readonly tokens: TokenStore
  readonly limiter: Pick<RateLimiter, 'consume'>
  readonly configs: Pick<Configs, 'get'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Ids
}
