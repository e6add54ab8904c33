import { describe, expect, it } from '@jest/globals'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createServiceReadiness } from '../../../shared/services/service-readiness.ts'
import { createAccountFixture } from '../../support/accounts/account-fixture.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'

const open = async (
  warnings: readonly string[] = [],
  standsOn = { redis: false, dynamodb: false },
  ofAccounts: readonly string[] = [],
) => {
  const fixture = await createAccountFixture()
  const store = createMemoryStore()
  const configs = { ...createFixedConfigs(), warnings: () => warnings }
  return {
    ...fixture,
    readiness: createServiceReadiness({
      ...fixture,
      accountStore: { ...fixture.accountStore, warnings: async () => ofAccounts },
      store,
      configs,
      standsOn,
      findRedisWarnings: async () => [],
      storageWarnings: [],
    }),
  }
}

describe('the readiness of a process', () => {
  it.each([
    [{ redis: false, dynamodb: false }, ['accounts', 'records']],
    [{ redis: true, dynamodb: false }, ['accounts', 'records', 'redis']],
    [{ redis: true, dynamodb: true }, ['accounts', 'dynamodb', 'redis']],
  ])('on %j checks the dependencies %j', async (standsOn, names) => {
    const { readiness, close } = await open([], standsOn)
    const dependencies = names.map((name) => ({ name, neededFor: expect.any(String), ok: true }))
    expect(await readiness.check()).toEqual({ ready: true, dependencies, warnings: [] })
    await close()
  })

  it('includes the number of missing groups and config warnings, without names', async () => {
    const { readiness, permissions, close } = await open(['groups.yaml is broken'])
    permissions.rulesFor(['secret-one', 'player'])
    expect((await readiness.check()).warnings).toEqual([
      'groups.yaml is broken',
      '1 group of accounts does not exist; /rbac:listgroups lists it',
    ])
    permissions.rulesFor(['secret-two'])
    expect((await readiness.check()).warnings).toContain('2 groups of accounts do not exist; /rbac:listgroups lists them')
    await close()
  })

  it('includes warnings about accounts in the file', async () => {
    const { readiness, close } = await open([], { redis: false, dynamodb: false }, ['users.yaml line 5: …'])
    expect((await readiness.check()).warnings).toEqual(['users.yaml line 5: …'])
    await close()
  })
})
