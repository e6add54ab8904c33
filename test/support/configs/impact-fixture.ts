import type { Account } from '../../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../../shared/domain/accounts/can-administer.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import type { ConfigName, ConfigValues } from '../../../shared/domain/configs/declare/config-file.ts'
import { createConfigImpact } from '../../../shared/domain/configs/editor/config-impact.ts'
import { createPermissionNames } from '../../../shared/domain/permissions/permission-names.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { type ConfigInputs, createFixedConfigs } from './fixed-configs.ts'

const usableHash = `$2b$04$${'a'.repeat(53)}`
const away = async () => {
  throw new AppError('unavailable', 'service-unavailable', 'away')
}

/** Computes the impact of changes on accounts and players of a test. */
export const createImpactFixture = (inputs: ConfigInputs = {}) => {
  const clock = createFixedClock()
  const configs = createFixedConfigs(inputs)
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(createMemoryStore()) })
  const presence = createMemoryPresence({ clock })
  const node = presence.openNode('one')
  const { next } = createTurns()
  /** How often the computation yielded to other work. */
  const turns = { taken: 0 }
  let isRedisAway = false
  let areAccountsAway = false
  const describeImpact = createConfigImpact({
    accountStore: { listAccounts: (query) => (areAccountsAway ? away() : accountStore.listAccounts(query)) },
    presence: {
      ...presence,
      countConnected: () => (isRedisAway ? away() : presence.countConnected()),
      listConnected: () => (isRedisAway ? away() : presence.listConnected()),
    },
    configs,
    canAdminister,
    permissionNames: createPermissionNames(),
    turns: {
      next: () => {
        turns.taken += 1
        return next()
      },
    },
  })

  return {
    configs,
    turns,
    setAway: (what: { redis?: boolean; accounts?: boolean }) => {
      isRedisAway = what.redis ?? false
      areAccountsAway = what.accounts ?? false
    },
    addAccount: async (
      name: string,
      groups: string[],
      { connected = false, password = false, granted }: { connected?: boolean; password?: boolean; granted?: string } = {},
    ): Promise<void> => {
      const account: Account = {
        email: `${name}@example.com`,
        playerId: systemIds.uuid(),
        displayName: name,
        groups,
        createdAt: new Date(clock.now()).toISOString(),
        ...(password && { passwordHash: usableHash }),
        ...(granted !== undefined && {
          grants: [{ id: 'one', group: granted, by: 'operator', at: new Date(clock.now()).toISOString() }],
        }),
      }
      await accountStore.change(account.email, () => ({ next: account, result: undefined }))
      if (connected) node.enter(account.playerId, account.displayName)
      await node.renew()
    },
    /** The impact of a change of the active config to `next`. */
    describe: <N extends ConfigName>(name: N, next: ConfigValues[N]) => describeImpact(name, { stored: configs.get(name), next }),
  }
}
