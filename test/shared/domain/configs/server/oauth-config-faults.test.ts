import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import type { ConfigName, ConfigValues } from '../../../../../shared/domain/configs/declare/config-file.ts'
import { serverConfigFile } from '../../../../../shared/domain/configs/server/server-config-file.ts'
import { findUnsafeSettings } from '../../../../../shared/domain/configs/server/unsafe-settings.ts'
import { type ProcessRole, parseEnvironment } from '../../../../../shared/platform/process/environment.ts'

const complete = {
  issuer: 'https://issuer.example',
  clientId: 'gatehouse',
  clientSecretEnv: 'OAUTH_SECRET',
  redirectUri: 'https://game.example.org/auth/callback',
  allowedReturnUrls: ['https://game.example.org/play'],
}

const parse = (input: object) => {
  const parsed = serverConfigFile.parse(input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.value
}

const groupsNamed = (...names: string[]) => {
  const parsed = catalogue['groups.yaml'].parse({ groups: names.map((name) => ({ name, permissions: [] })) })
  if (!parsed.ok) throw new Error('bad groups')
  return parsed.value
}

const faultsOf = (oauth: object, provider = 'oauth', groups: ConfigValues['groups.yaml'] | null = groupsNamed('builder')) => {
  const values: { [N in ConfigName]?: ConfigValues[N] } = groups === null ? {} : { 'groups.yaml': groups }
  const others = { find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name] }
  return serverConfigFile.crossCheck(parse({ auth: { provider, oauth } }), others)
}
const pointersOf = (...args: Parameters<typeof faultsOf>) => faultsOf(...args).map(({ pointer }) => pointer)

describe('auth.oauth in server.yaml', () => {
  it('is valid when it is complete, and can be absent with another provider', () => {
    expect(faultsOf(complete)).toEqual([])
    expect(faultsOf({}, 'local')).toEqual([])
    expect(parse({}).auth).toMatchObject({ provider: 'local', oauth: { type: 'oidc', scopes: 'openid email profile' } })
  })

  it('needs each required key while the provider is oauth', () => {
    expect(pointersOf({})).toEqual(
      ['issuer', 'clientId', 'clientSecretEnv', 'redirectUri', 'allowedReturnUrls'].map((key) => `/auth/oauth/${key}`),
    )
    expect(pointersOf({ ...complete, type: 'oauth2' })).toEqual(
      ['authorizationUrl', 'tokenUrl', 'userinfoUrl'].map((key) => `/auth/oauth/${key}`),
    )
  })

  it.each(['issuer', 'redirectUri', 'authorizationUrl', 'tokenUrl', 'userinfoUrl'])(
    'needs HTTPS for %s, except on loopback',
    (key) => {
      for (const bad of [
        'http://issuer.example',
        'issuer.example',
        'ftp://issuer.example',
        'https://a:b@issuer.example',
        'https://issuer.example/#x',
      ])
        expect(pointersOf({ ...complete, [key]: bad }, 'local')).toEqual([`/auth/oauth/${key}`])
      for (const good of ['http://127.0.0.1:4000/a', 'http://localhost/', 'http://[::1]:1', 'https://issuer.example/a'])
        expect(pointersOf({ ...complete, [key]: good })).toEqual([])
    },
  )

  it.each([
    'https://issuer.example/a|b',
    'https://issuer.example/.well-known/openid-configuration',
    'https://issuer.example/a/.Well-Known',
  ])('needs a unique issuer: not %s', (issuer) => {
    expect(pointersOf({ ...complete, issuer })).toEqual(['/auth/oauth/issuer'])
  })

  it('sends no secret of the server itself to an identity provider', () => {
    for (const clientSecretEnv of ['AWS_SECRET_ACCESS_KEY', 'aws_session_token', 'REDIS_URL', 'DYNAMODB_ENDPOINT'])
      expect(pointersOf({ ...complete, clientSecretEnv })).toEqual(['/auth/oauth/clientSecretEnv'])
    for (const clientSecretEnv of ['LAWS_SECRET', 'REDIS_URL_OF_NONE', 'OAUTH_SECRET'])
      expect(pointersOf({ ...complete, clientSecretEnv })).toEqual([])
  })

  it('needs a redirect URI without a query', () => {
    expect(pointersOf({ ...complete, redirectUri: 'https://game.example.org/auth/callback?a=1' })).toEqual([
      '/auth/oauth/redirectUri',
    ])
  })

  it('reports each invalid return address', () => {
    const allowedReturnUrls = ['https://ok.example', 'http://plain.example', 'https://*.example']
    expect(pointersOf({ ...complete, allowedReturnUrls })).toEqual([
      '/auth/oauth/allowedReturnUrls/1',
      '/auth/oauth/allowedReturnUrls/2',
    ])
  })

  it('needs openid among the scopes of OpenID Connect', () => {
    expect(pointersOf({ ...complete, scopes: 'email profile' })).toEqual(['/auth/oauth/scopes'])
    const oauth2 = {
      type: 'oauth2',
      authorizationUrl: 'https://a.example',
      tokenUrl: 'https://a.example',
      userinfoUrl: 'https://a.example',
    }
    expect(pointersOf({ ...complete, ...oauth2, scopes: 'identify' })).toEqual([])
  })

  it('reports each mapped group that does not exist', () => {
    const mapping = { a: 'builder', b: 'admin', c: 'player', 'd/e~f': 'nobody-made' }
    expect(pointersOf({ ...complete, groupsClaim: { claim: 'groups', mapping } })).toEqual([
      '/auth/oauth/groupsClaim/mapping/d~1e~0f',
    ])
    expect(faultsOf({ ...complete, groupsClaim: { claim: 'groups', mapping } }, 'oauth', null)).toEqual([])
  })

  it.each([
    ['the secret itself', { clientSecretEnv: 'hunter 2!' }],
    ['an unknown key', { clientSecret: 'x' }],
    ['a mapping to a list', { groupsClaim: { claim: 'a', mapping: { a: ['b'] } } }],
    ['a mapping without a claim', { groupsClaim: { mapping: {} } }],
    ['another type', { type: 'saml' }],
  ])('does not accept %s', (_what, oauth) => {
    expect(serverConfigFile.parse({ auth: { oauth: { ...complete, ...oauth } } }).ok).toBe(false)
  })
})

describe('the client secret', () => {
  const unsafe = (role: ProcessRole, raw: Record<string, string>, provider = 'oauth') => {
    const environment = parseEnvironment({ REDIS_URL: 'redis://127.0.0.1:6379', ...raw }, role)
    return findUnsafeSettings({ environment, server: parse({ auth: { provider, oauth: complete } }) })
  }

  it.each<ProcessRole>(['all', 'http'])('must be in the environment of %s, which is told the variable', (role) => {
    expect(unsafe(role, {})).toEqual([expect.stringContaining('OAUTH_SECRET')])
    expect(unsafe(role, { OAUTH_SECRET: '' })).toEqual([expect.stringContaining('OAUTH_SECRET')])
    expect(unsafe(role, { OAUTH_SECRET: 'x' })).toEqual([])
    expect(unsafe(role, {}, 'local')).toEqual([])
  })

  it.each<ProcessRole>(['realtime', 'task'])('is not needed by %s, which signs nobody in', (role) => {
    expect(unsafe(role, {})).toEqual([])
  })
})
