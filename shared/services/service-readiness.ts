import { playerStates } from '../domain/players/player-state.ts'
import { createReadiness, type Probe, type Readiness } from './readiness.ts'
import type { Services } from './wire-services.ts'

const probeTimeoutMs = 1500

const redisProbe = (tokens: Services['tokens']): Probe => ({
  name: 'redis',
  neededFor: 'tokens, limits and events between processes',
  probe: () => tokens.ping(),
  timeoutMs: probeTimeoutMs,
})

/** Only the number, because names of groups are not public. */
const warnOfUnknownGroups = (count: number): readonly string[] => {
  if (count === 0) return []
  const what = count === 1 ? '1 group of accounts does not exist' : `${count} groups of accounts do not exist`
  return [`${what}; /rbac:listgroups lists ${count === 1 ? 'it' : 'them'}`]
}

type Needed = Pick<
  Services,
  'accountStore' | 'store' | 'tokens' | 'configs' | 'permissions' | 'standsOn' | 'findRedisWarnings' | 'storageWarnings'
>

/** The readiness of a process with `services`: each dependency by the name that operators know. */
export const createServiceReadiness = ({
  accountStore,
  store,
  tokens,
  configs,
  permissions,
  standsOn,
  findRedisWarnings,
  storageWarnings,
}: Needed): Readiness =>
  createReadiness({
    probes: [
      {
        name: 'accounts',
        neededFor: 'sign-ins and authentication of requests',
        probe: async () => void (await accountStore.listAccounts({ limit: 1 })),
        timeoutMs: probeTimeoutMs,
      },
      {
        name: standsOn.dynamodb ? 'dynamodb' : 'records',
        neededFor: 'worlds, zones, player positions and the audit log',
        probe: async () => void (await store.get(playerStates, 'probe')),
        timeoutMs: probeTimeoutMs,
      },
      ...(standsOn.redis ? [redisProbe(tokens)] : []),
    ],
    warnings: async () => [
      ...storageWarnings,
      ...configs.warnings(),
      ...(await accountStore.warnings()),
      ...warnOfUnknownGroups(permissions.unknownGroups().length),
      ...(await findRedisWarnings()),
    ],
  })
