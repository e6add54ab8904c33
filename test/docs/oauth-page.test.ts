import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { oauthCallback, oauthStart } from '../../functions/auth/oauth.ts'
import { readOauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { createOauthIssuer } from '../../shared/domain/auth/oauth/oauth-issuer.ts'
import { matchReturnUrl } from '../../shared/domain/auth/provider/return-url.ts'
import { catalogue } from '../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../shared/domain/configs/reading/parse-config.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { oauthUsage } from '../../tools/oauth/oauth-arguments.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/oauth.md')
const groups = parseConfig(catalogue['groups.yaml'], read('resources/starter/groups.yaml'))

const parse = (text: string) =>
  parseConfig(catalogue['server.yaml'], text, {
    find: (name) => (name === 'groups.yaml' && groups.ok ? (groups.value as never) : undefined),
  })

/** Each YAML block with the heading above it. */
const blocks = page
  .split(/^## /m)
  .flatMap((section) =>
    [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => [section.split('\n', 1)[0] ?? '', text] as const),
  )

const oauthOf = (text: string): ServerConfig['auth']['oauth'] => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.value.auth.oauth
}

describe('the settings in docs/oauth.md', () => {
  it('exist for each provider on the page', () => {
    const headings = new Set(blocks.map(([heading]) => heading))
    expect([...headings]).toEqual(['Google', 'Microsoft Entra ID', 'Keycloak', 'Auth0', 'Discord'])
  })

  it.each(blocks)('of %s form a server.yaml that a server with the starter groups accepts', (_heading, text) => {
    expect(parse(text)).toMatchObject({ ok: true, value: { auth: { provider: 'oauth' } } })
    const oauth = oauthOf(text)
    expect(readOauthSettings(oauth, (name) => (name === 'OAUTH_CLIENT_SECRET' ? 'secret' : undefined))).toMatchObject({
      clientSecret: 'secret',
    })
    for (const returnUrl of ['https://game.example.org/play', 'http://127.0.0.1:49152/gatehouse/secret'])
      expect(matchReturnUrl(returnUrl, oauth.allowedReturnUrls)).toBe(returnUrl)
  })

  it('send a browser to Discord without discovery, which Discord does not support', async () => {
    const [, text = ''] = blocks.find(([heading]) => heading === 'Discord') ?? []
    const settings = readOauthSettings(oauthOf(text), () => 'secret')
    const request = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) }
    const url = await createOauthIssuer(settings, { clock: systemClock }).authorizationUrl(request)
    expect(url).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?.*scope=identify\+email/)
  })
})

describe('the table of problems in docs/oauth.md', () => {
  it('explains every problem that the start and callback routes return', () => {
    const explained = [...page.matchAll(/^\| `([a-z-]+)` \| \d{3} \|/gm)].map(([, slug]) => slug)
    expect(new Set(explained)).toEqual(new Set([...(oauthStart.problems ?? []), ...(oauthCallback.problems ?? [])]))
  })

  it('names the status that each slug has in docs/errors.md', () => {
    const statuses = new Map([...read('docs/errors.md').matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)].map(([, a, b]) => [a, b]))
    for (const [, slug, status] of page.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm))
      expect([slug, status]).toEqual([slug, statuses.get(slug)])
  })
})

describe('the command in docs/oauth.md', () => {
  it('has the options that the page names', () => {
    const named = new Set([...page.matchAll(/`[^`]*?(--(?:offline|email|values|claims))/g)].map(([, option]) => option))
    for (const option of named) expect(oauthUsage).toContain(option)
    expect(named.size).toBeGreaterThan(2)
  })
})
