import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { canAdminister } from '../../../../shared/domain/accounts/can-administer.ts'
import { createAccountService } from '../../../../shared/domain/accounts/service/create-account-service.ts'
import { createYamlAccountStore } from '../../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { createSignIn } from '../../../../shared/domain/auth/create-sign-in.ts'
import { createLocalProvider } from '../../../../shared/domain/auth/local-provider.ts'
import { createMemoryRateLimiter } from '../../../../shared/platform/limits/rate-limiter.ts'
import { createAccountFixture, operator, password } from '../../../support/accounts/account-fixture.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

describe('sign-in with another process', () => {
  it('issues no token for a password that the other process replaces during or before the check', async () => {
    const folder = await createTempDir()
    const fixture = await createAccountFixture()
    await writeFile(join(folder.path, 'users.yaml'), 'users: []\n')
    const openStore = () =>
      createYamlAccountStore({
        ...fixture,
        path: join(folder.path, 'users.yaml'),
        isAdministrator: (account) => canAdminister(fixture.permissions, account),
      })
    const [ours, theirs] = [openStore(), openStore()]
    const their = createAccountService({ ...fixture, accountStore: theirs })
    const limiter = createMemoryRateLimiter()
    const accounts = createAccountService({ ...fixture, accountStore: ours })
    const provider = createLocalProvider({ ...fixture, accountStore: ours, accounts, requirePassword: () => true })
    const deps = { ...fixture, accountStore: ours, accounts, provider, limiter, configs: createFixedConfigs() }
    const signIn = createSignIn(deps)
    const origin = { address: '192.0.2.1', requestId: 'request-7' }
    const email = 'ann@example.com'

    await accounts.createAccount(operator, { email, password })
    await signIn.login(email, password, origin)
    const proven = await provider.login(email, password, origin)
    await their.updateAccount(operator, email, { password: 'another password' })
    const late = createSignIn({ ...deps, provider: { ...provider, login: async () => proven } })
    await expect(late.login(email, password, origin)).rejects.toMatchObject({ slug: 'invalid-credentials' })
    await expect(signIn.login(email, password, origin)).rejects.toMatchObject({ slug: 'invalid-credentials' })
    await signIn.login(email, 'another password', origin)

    await Promise.all([ours.close(), theirs.close(), limiter.close()])
    await fixture.close()
    await folder.remove()
  })
})
