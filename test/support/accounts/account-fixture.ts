import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { canAdminister } from '../../../shared/domain/accounts/can-administer.ts'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createFailedSignInLog } from '../../../shared/domain/accounts/failed-sign-ins.ts'
import { createAccountService } from '../../../shared/domain/accounts/service/create-account-service.ts'
import { createSignInLog } from '../../../shared/domain/accounts/sign-in-log.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createInvitations } from '../../../shared/domain/auth/own-accounts/invitations.ts'
import { createPasswordHasher } from '../../../shared/domain/passwords/passwords.ts'
import type { GroupsConfig } from '../../../shared/domain/permissions/groups-config.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import { followSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { EventBus, Topic } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createMemoryTokenStore } from '../auth/memory-tokens.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { silentLog } from '../time/silent-log.ts'
import { fixtureGroups } from './fixture-groups.ts'

export const operator: Actor = {
  email: 'operator',
  playerId: '00000000-0000-4000-8000-000000000000',
  displayName: 'operator',
  verified: true,
  rules: operatorRules,
  via: 'cli',
  requestId: 'request-1',
}

export const password = 'correct horse battery'

/** A value in the format of bcrypt that matches no known password. */
export const someHash = `$2b$04$${'x'.repeat(53)}`

/** The account service over memory, with bcrypt at its lowest cost in one worker thread, and all events that it publishes. */
export const createAccountFixture = async (groups: GroupsConfig = fixtureGroups, startMs?: number) => {
  const clock = createFixedClock(startMs)
  const permissions = createPermissions(groups)
  const store = createMemoryStore()
  const audit = createStoreAuditLog(store)
  const accountStore = createMemoryAccountStore({ isAdministrator: (account) => canAdminister(permissions, account), audit })
  const passwords = createPasswordHasher({ cost: 4, threads: 1, queueMax: 2000 })
  const tokens = createMemoryTokenStore({ clock, ids: systemIds })
  const bus = createMemoryEventBus({ log: silentLog })
  const published: [Topic, { readonly playerId: string }][] = []
  const events: EventBus = {
    ...bus,
    publish: (topic, event) => {
      if ('playerId' in event) published.push([topic, event])
      return bus.publish(topic, event)
    },
  }
  const activeSanctions = followSanctions({ store, events, clock, log: silentLog })
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const moved: [string, string][] = []
  const deps = {
    accountStore,
    deletedAccounts,
    permissions,
    passwords,
    tokens,
    events,
    activeSanctions,
    signInLog: createSignInLog({ store, clock, log: silentLog }),
    failedSignIns: createFailedSignInLog({ store, clock }),
    audit,
    moveSanctions: async (from: string, to: string) => {
      moved.push([from, to])
    },
    isBanned: (email: string) => activeSanctions.findBan(email) !== undefined,
    clock,
    ids: systemIds,
    log: silentLog,
  }
  const accounts = createAccountService(deps)
  const invitations = createInvitations({ ...deps, store })
  return {
    invitations,
    ...deps,
    accounts,
    audit,
    published,
    /** Emails whose sanctions moved to another email. */
    moved,
    /** Writes an account to the store without any checks, as an operator's edit by hand does. */
    plant: (email: string, account: Partial<Account> = {}): Promise<Account> => {
      const planted: Account = {
        email,
        playerId: systemIds.uuid(),
        displayName: email.slice(0, email.indexOf('@')),
        groups: ['player'],
        createdAt: '2025-12-01T00:00:00.000Z',
        ...account,
      }
      return accountStore.change(email, () => ({ next: planted, result: planted }))
    },
    actorIn: (...names: string[]): Actor => ({
      ...operator,
      email: 'actor@example.com',
      via: 'http',
      rules: permissions.rulesFor(names),
    }),
    listAudit: async (target?: string) =>
      (await audit.listEntries({ limit: 200, ...(target === undefined ? {} : { target }) })).entries,
    close: async () => {
      await Promise.all([accountStore.close(), passwords.close(), tokens.close(), events.close()])
    },
  }
}

export type AccountFixture = Awaited<ReturnType<typeof createAccountFixture>>
