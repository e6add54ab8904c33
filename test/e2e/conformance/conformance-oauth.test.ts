import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Child, startChild } from '../support/child.ts'
import { oauthConfig, oauthSecret } from '../support/oauth-config.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
let token: string

/** The token of a user in the provider's group `boss`. */
const signIn = async (issuer: Child, redirectUri: string): Promise<string> => {
  issuer.write(`${JSON.stringify({ sub: 'boss', email: 'boss@example.com', email_verified: true, groups: ['boss'] })}\n`)
  await waitFor(() => issuer.stdout().includes('now boss'))
  const browser = createBrowser()
  const start = `${server.url}/auth/oauth/start?returnUrl=${encodeURIComponent('http://127.0.0.1/')}`
  const back = await browser.follow(start, (url) => url.startsWith('http://127.0.0.1/#'))
  expect(redirectUri).toContain(server.url)
  return new URLSearchParams(new URL(back).hash.slice(1)).get('token') ?? ''
}

beforeAll(async () => {
  const dataDir = await stage.createDataDir()
  const port = await findFreePort()
  const redirectUri = `http://127.0.0.1:${port}/auth/callback`
  const script = ['--import', 'tsx', 'test/support/auth/oidc-issuer-script.ts', redirectUri]
  const issuer = stage.adopt(startChild(process.execPath, script))
  await issuer.shows(/^http:\S+\n/, 150_000)
  const config = oauthConfig(issuer.stdout().trim(), redirectUri)
  const withGroups = config.replace('    allowedReturnUrls', '    scopes: openid email profile groups\n    allowedReturnUrls')
  await writeFile(join(dataDir, 'config', 'server.yaml'), withGroups)
  server = await stage.start({ DATA_DIR: dataDir, PORT: String(port), ...oauthSecret })
  token = await signIn(issuer, redirectUri)
}, 180_000)
afterAll(() => stage.close())

describe('the conformance suite with an identity provider', () => {
  // The other checks do not depend on the way to sign in.
  it('passes with the token of an administrator, and skips checks that need a password', async () => {
    const child = stage.launch('tools/conformance.ts', ['--url', server.url, '--token', '-', '--write', '--only', 'sign*in'], {})
    child.endInput(`${token}\n`)
    const status = await child.ended
    const stdout = child.stdout()
    expect({ status, stderr: child.stderr(), failed: stdout.match(/^ {2}✗.*/gm) }).toEqual({
      status: 0,
      stderr: '',
      failed: null,
    })
    expect(stdout).toMatch(/^Sign-in through an identity provider\n( {2}✓.*\n){3}/m)
    expect(stdout).toContain('(skipped: test accounts cannot sign in through an identity provider)')
    expect(stdout).not.toContain(token)
  }, 180_000)
})
