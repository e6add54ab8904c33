import { type Static, Type } from '@sinclair/typebox'
import { parse } from 'yaml'
import { createParser } from '../../../shared/kernel/schema.ts'
import { check, feature, type Kit } from '../check.ts'
import { type Answer, headerOf } from '../client/http-client.ts'
import { readConfig } from '../client/read-config.ts'
import { expectEqual, expectHeader, expectProblem, expectStatus, expectThat } from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const Config = Type.Object({
  auth: Type.Object({
    oauth: Type.Object({
      clientId: Type.String(),
      redirectUri: Type.String(),
      allowedReturnUrls: Type.Array(Type.String(), { minItems: 1 }),
    }),
  }),
})
type Oauth = Static<typeof Config>['auth']['oauth']

const parseConfig = createParser(Config)

/** Begins a sign-in that never ends. The server drops it after ten minutes. */
const begin = async (kit: Kit): Promise<{ readonly answer: Answer; readonly oauth: Oauth; readonly sought: URLSearchParams }> => {
  if (kit.facts.provider !== 'oauth') throw new Skipped(`sign-in does not use OAuth here`)
  const config = parseConfig(parse((await readConfig(kit, 'server.yaml')).text))
  if (!config.ok) throw new Skipped('server.yaml differs from the active settings')
  const { oauth } = config.value.auth
  const returnUrl = encodeURIComponent(oauth.allowedReturnUrls[0] ?? '')
  const answer = await kit.ask('nobody', `GET /auth/oauth/start?returnUrl=${returnUrl}`)
  expectStatus(answer, 302)
  return { answer, oauth, sought: new URL(expectHeader(answer, 'Location', /^https?:/)).searchParams }
}

const cookieForm = /^(?:__Host-)?[\w-]+=[^;]+; Path=\/; .*HttpOnly; SameSite=Lax/

export const oauth = feature('Sign-in through an identity provider', [
  check('administrator', 'requests a code with PKCE, state and nonce', async (kit) => {
    const { oauth: config, sought } = await begin(kit)
    const asked = Object.fromEntries(
      ['response_type', 'client_id', 'redirect_uri', 'code_challenge_method'].map((key) => [key, sought.get(key)]),
    )
    expectEqual('the request', asked, {
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: config.redirectUri,
      code_challenge_method: 'S256',
    })
    for (const key of ['code_challenge', 'state', 'nonce'])
      expectThat((sought.get(key) ?? '').length >= 22, `a random ${key}`, () => String(sought.get(key)))
    expectThat((sought.get('scope') ?? '').split(' ').includes('openid'), 'the scope openid', () => String(sought.get('scope')))
  }),
  check('administrator', 'is bound to the browser, and begins from scratch each time', async (kit) => {
    const [one, other] = [await begin(kit), await begin(kit)]
    for (const { answer } of [one, other])
      expectThat(
        (answer.headers['set-cookie'] ?? []).some((cookie) => cookieForm.test(cookie)),
        'a cookie that is HttpOnly and SameSite=Lax',
        () => headerOf(answer, 'Set-Cookie') ?? 'none',
      )
    for (const key of ['state', 'nonce', 'code_challenge'])
      expectThat(one.sought.get(key) !== other.sought.get(key), `another ${key}`, () => 'the same')
  }),
  check('administrator', 'does not end in another browser', async (kit) => {
    const { sought } = await begin(kit)
    const state = encodeURIComponent(sought.get('state') ?? '')
    expectProblem(await kit.ask('nobody', `GET /auth/callback?code=no-code&state=${state}`), 400, 'wrong-browser')
  }),
])
