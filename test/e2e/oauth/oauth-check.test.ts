import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type LoginIssuer, startLoginIssuer } from '../../support/auth/login-issuer.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { passLoginForm } from '../../support/auth/pass-login-form.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import type { Variables } from '../support/child.ts'
import { oauthConfig, oauthSecret } from '../support/oauth-config.ts'
import { createStage } from '../support/stage.ts'

const stage = createStage()
let issuer: LoginIssuer
let dataDir: string
let baseUrl: string

beforeAll(async () => {
  const port = await findFreePort()
  baseUrl = `http://127.0.0.1:${port}`
  const redirectUri = `${baseUrl}/auth/callback`
  issuer = await startLoginIssuer([redirectUri])
  dataDir = await stage.createDataDir(oauthConfig(issuer.origin, redirectUri))
  const server = await stage.start({ DATA_DIR: dataDir, PORT: String(port), ...oauthSecret })
  const back = 'http://127.0.0.1:4999/game'
  const url = `${server.url}/auth/oauth/start?returnUrl=${encodeURIComponent(back)}`
  await passLoginForm({ browser: createBrowser(), url, login: 'ann', isEnd: (at) => at.startsWith(back) })
})
afterAll(async () => {
  await stage.close()
  await issuer?.stop()
})

const check = async (variables: Variables = oauthSecret) => {
  const child = stage.launch('tools/oauth.ts', ['check'], { DATA_DIR: dataDir, BASE_URL: baseUrl, ...variables })
  return { code: await child.ended, shown: child.stdout(), complaint: child.stderr() }
}

describe('npm run oauth -- check beside a running server', () => {
  it('reports a valid setup, and previews an edited mapping before a reload', async () => {
    expect(await check()).toMatchObject({
      code: 0,
      complaint: '',
      shown: expect.stringContaining('1 more account has signed in here before'),
    })
    const file = join(dataDir, 'config', 'server.yaml')
    const text = await readFile(file, 'utf8')
    const accounts = await readFile(join(dataDir, 'config', 'users.yaml'), 'utf8')
    await writeFile(file, text.replace('boss: admin', 'boss: admin, ann: builder'))
    const { code, shown } = await check()
    expect(code).toBe(0)
    expect(shown).toContain('  ann@example.com gains builder\n')
    expect(shown).not.toContain(oauthSecret.OAUTH_SECRET)
    expect(await readFile(join(dataDir, 'config', 'users.yaml'), 'utf8')).toBe(accounts)
  })

  it('exits with 2 without the secret', async () => {
    expect(await check({})).toMatchObject({ code: 2, shown: expect.stringContaining('variable OAUTH_SECRET') })
  })
})
