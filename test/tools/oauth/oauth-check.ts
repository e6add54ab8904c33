import { runOauth } from '../../../tools/oauth/run-oauth.ts'
import { createAccountFixture } from '../../support/accounts/account-fixture.ts'
import { fixtureGroups } from '../../support/accounts/fixture-groups.ts'
import { issuerClient } from '../../support/auth/issuer-client.ts'
import { oauthServer } from '../../support/auth/oauth-sign-in.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'
import { silentLog } from '../../support/time/silent-log.ts'

/** `npm run oauth` over accounts in memory, with `auth.oauth` for this issuer. */
export const openOauthCheck = async (issuer: string, oauth: object = {}) => {
  const fixture = await createAccountFixture()
  const files = new Map<string, string>()
  const secrets = new Map([[issuerClient.secretEnv, issuerClient.secret]])
  let server: object = oauthServer(issuer, oauth)
  const run = async (...args: readonly string[]) => {
    let [printed, complained] = ['', '']
    const configs = createFixedConfigs({ server, groups: fixtureGroups })
    const code = await runOauth({
      args,
      openTask: async () => ({
        ...fixture,
        configs,
        log: silentLog,
        baseUrl: 'http://127.0.0.1:3000',
        readSecret: (name) => secrets.get(name),
        close: async () => undefined,
      }),
      readText: async (path) => files.get(path) ?? Promise.reject(new Error(`no such file, open '${path}'`)),
      print: (text) => {
        printed += text
      },
      complain: (text) => {
        complained += text
      },
    })
    return { code, printed, complained, lines: printed.split('\n').map((line) => line.trim()) }
  }
  return {
    ...fixture,
    run,
    files,
    secrets,
    setServer: (next: object) => {
      server = next
    },
  }
}

export type OauthCheck = Awaited<ReturnType<typeof openOauthCheck>>
