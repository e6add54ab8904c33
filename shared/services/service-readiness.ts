import { playerStates } from '../players/player-state.ts'
import { createReadiness } from './create-readiness.ts'
import type { Readiness } from './readiness.ts'
import type { Services } from './services.ts'

const probeTimeoutMs = 1500

/** Their number only: names are nothing for the public. */
const warnOfUnknownGroups = (count: number): readonly string[] => {
  if (count === 0) return []
  const what = count === 1 ? '1 group that accounts name does not exist' : `${count} groups that accounts name do not exist`
  return [`${what}; /rbac:listgroups names ${count === 1 ? 'it' : 'them'}`]
}

/** The readiness of a process that stands on `services`: the accounts, the records and the tokens answer. */
export const createServiceReadiness = ({
  accountStore,
  store,
  tokens,
  configs,
  permissions,
}: Pick<Services, 'accountStore' | 'store' | 'tokens' | 'configs' | 'permissions'>): Readiness =>
  createReadiness({
    probes: [
      { name: 'accounts', probe: async () => void (await accountStore.listAccounts({ limit: 1 })), timeoutMs: probeTimeoutMs },
      { name: 'store', probe: async () => void (await store.get(playerStates, 'probe')), timeoutMs: probeTimeoutMs },
      { name: 'tokens', probe: () => tokens.ping(), timeoutMs: probeTimeoutMs },
    ],
    warnings: () => [...configs.warnings(), ...warnOfUnknownGroups(permissions.unknownGroups().length)],
  })
