import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { findUnsafeSettings } from '../../../../../shared/domain/configs/server/unsafe-settings.ts'
import { parseEnvironment } from '../../../../../shared/platform/process/environment.ts'

const server = (requirePassword: boolean, allowedOrigins: string[] = []) => {
  const parsed = catalogue['server.yaml'].parse({ auth: { local: { requirePassword } }, http: { allowedOrigins } })
  if (!parsed.ok) throw new Error('not a server config')
  return parsed.value
}

describe('findUnsafeSettings', () => {
  it.each([
    ['127.0.0.1', false, 'false', true],
    ['127.8.9.10', false, 'false', true],
    ['::1', false, 'false', true],
    ['localhost', false, 'false', true],
    ['0.0.0.0', false, 'false', false],
    ['::', false, 'false', false],
    ['192.168.1.5', false, 'false', false],
    ['game.example.org', false, 'false', false],
    ['127.0.0.1.example.org', false, 'false', false],
    ['0.0.0.0', false, 'true', true],
    ['0.0.0.0', true, 'false', true],
  ])('with HOST=%s, requirePassword %s and ALLOW_PASSWORDLESS=%s is safe: %s', (host, requirePassword, allow, safe) => {
    const environment = parseEnvironment({ HOST: host, ALLOW_PASSWORDLESS: allow }, 'all')
    const unsafe = findUnsafeSettings({ environment, server: server(requirePassword) })
    expect(unsafe).toHaveLength(safe ? 0 : 1)
    if (!safe) expect(unsafe[0]).toMatch(/auth\.local\.requirePassword.*server\.yaml.*HOST.*ALLOW_PASSWORDLESS=true/)
  })

  it.each([
    ['https://game.example.org', 0, /BASE_URL is https:..game\.example\.org/],
    ['http://127.0.0.1:3000', 1, /http\.trustedProxies in server\.yaml is 1/],
  ])('refuses optional passwords behind a local proxy: BASE_URL=%s, trustedProxies %s', (baseUrl, trustedProxies, why) => {
    const environment = parseEnvironment({ HOST: '127.0.0.1', BASE_URL: baseUrl }, 'all')
    const { auth, http } = server(false)
    expect(findUnsafeSettings({ environment, server: { auth, http: { ...http, trustedProxies } } })).toEqual([
      expect.stringMatching(why),
    ])
    const allowed = parseEnvironment({ HOST: '127.0.0.1', BASE_URL: baseUrl, ALLOW_PASSWORDLESS: 'true' }, 'all')
    expect(findUnsafeSettings({ environment: allowed, server: { auth, http: { ...http, trustedProxies } } })).toEqual([])
  })

  it('accepts a command line task, which has no listener', () => {
    const environment = parseEnvironment({ HOST: '0.0.0.0' }, 'task')
    expect(findUnsafeSettings({ environment, server: server(false) })).toEqual([])
  })

  it('refuses a wildcard origin with its fix, and lists every fault', () => {
    const environment = parseEnvironment({ HOST: '0.0.0.0' }, 'all')
    expect(findUnsafeSettings({ environment, server: server(false, ['https://a.example.org', '*']) })).toEqual([
      expect.stringContaining('requirePassword'),
      expect.stringContaining('http.allowedOrigins'),
    ])
  })
})
