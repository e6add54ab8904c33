import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { authRoutes } from '../../../../functions/auth/routes.ts'
import { createProvider, providerNames } from '../../../../shared/domain/auth/providers.ts'
import { serverConfigFile } from '../../../../shared/domain/configs/server/server-config-file.ts'
import { describeAuthProvider } from '../../../contracts/auth-provider-contract.ts'
import { doors } from '../../../http/doors.ts'
import { createAccountFixture, operator } from '../../../support/accounts/account-fixture.ts'
import { createClubProvider } from '../../../support/auth/example-provider.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'

const clubPassword = 'cheese and wine'
const readSecret = () => hashSync(clubPassword, 4)

const others = { club: createClubProvider }

/** `auth` with the third provider, as after its line is added to the list. */
const clubAuth = () => ({ ...createFixedConfigs().get('server.yaml').auth, provider: 'club' })

describeAuthProvider('club, the example of docs/providers.md', 'password', async () => {
  const fixture = await createAccountFixture()
  const email = 'ann@example.com'
  const { playerId } = await fixture.accounts.createAccount(operator, { email })
  const provider = createProvider({ ...fixture, authConfig: clubAuth, readSecret }, others)
  return { provider, known: { email, password: clubPassword, playerId }, close: fixture.close }
})

describe.each(doors)('a third provider, through %s', (_name, open) => {
  it('signs users in once its name is in the list of constructors', async () => {
    const fixture = await createAccountFixture()
    const accountStore = { findByEmail: (email: string) => opened.accountStore.findByEmail(email) }
    const provider = createProvider({ ...fixture, accountStore, authConfig: clubAuth, readSecret }, others)
    const opened = await open({ routes: authRoutes, deps: { provider } })
    const { get, post, people } = opened
    expect((await get('/api/auth/config')).body).toEqual({ provider: 'club', requirePassword: false, registration: 'off' })
    const answer = await post('/auth/login', { email: 'player@example.com', password: clubPassword })
    expect(answer).toMatchObject({ status: 200, body: { playerId: people.player.playerId } })
    expect(await get('/auth/oauth/start?returnUrl=x')).toMatchObject({
      status: 404,
      body: { type: '/problems/provider-mismatch' },
    })
    await fixture.close()
  })
})

describe('docs/providers.md', () => {
  it('shows the tested example', async () => {
    const [docs, source] = await Promise.all(
      ['docs/providers.md', 'test/support/auth/example-provider.ts'].map((path) => readFile(path, 'utf8')),
    )
    expect(docs).toContain(source?.slice(source.indexOf('export const')))
  })
})

describe('auth.provider in server.yaml', () => {
  it('can be every registered provider, and nothing else', () => {
    // A third provider adds a line to the list and none here, so this test does not check the whole list.
    expect(providerNames).toEqual(expect.arrayContaining(['local', 'oauth']))
    for (const provider of providerNames) expect(serverConfigFile.parse({ auth: { provider } }).ok).toBe(true)
    for (const provider of ['nobody wired this in', 'constructor', '', null])
      expect(serverConfigFile.parse({ auth: { provider } }).ok).toBe(false)
  })
})
