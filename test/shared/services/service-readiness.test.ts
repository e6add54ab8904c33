import { describe, expect, it } from '@jest/globals'
import { createServiceReadiness } from '../../../shared/services/service-readiness.ts'
import { createMemoryStore } from '../../../shared/storage/memory-store.ts'
import { createAccountFixture } from '../../support/accounts/account-fixture.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'

const open = async (warnings: readonly string[] = []) => {
  const fixture = await createAccountFixture()
  const store = createMemoryStore()
  const configs = { ...createFixedConfigs(), warnings: () => warnings }
  return { ...fixture, readiness: createServiceReadiness({ ...fixture, store, configs }) }
}

describe('the readiness of a process', () => {
  it('asks the accounts, the records and the tokens', async () => {
    const { readiness, close } = await open()
    const dependencies = ['accounts', 'store', 'tokens'].map((name) => ({ name, ok: true }))
    expect(await readiness.check()).toEqual({ ready: true, dependencies, warnings: [] })
    await close()
  })

  it('counts groups that do not exist, beside what the configs warn of, and names none of them', async () => {
    const { readiness, permissions, close } = await open(['groups.yaml is broken'])
    permissions.rulesFor(['secret-one', 'player'])
    expect((await readiness.check()).warnings).toEqual([
      'groups.yaml is broken',
      '1 group that accounts name does not exist; /rbac:listgroups names it',
    ])
    permissions.rulesFor(['secret-two'])
    expect((await readiness.check()).warnings).toContain('2 groups that accounts name do not exist; /rbac:listgroups names them')
    await close()
  })
})
