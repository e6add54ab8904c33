import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createCall } from '../../../sdk/admin/call.ts'
import { connect } from '../../../sdk/connection/connect.ts'
import { signInByLoopback } from '../../../sdk/sign-in/sign-in-by-loopback.ts'
import { type LoginIssuer, startLoginIssuer } from '../../support/auth/login-issuer.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { passLoginForm } from '../../support/auth/pass-login-form.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { oauthConfig, oauthSecret } from '../support/oauth-config.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let issuer: LoginIssuer
let server: Server

beforeAll(async () => {
  const port = await findFreePort()
  const redirectUri = `http://127.0.0.1:${port}/auth/callback`
  issuer = await startLoginIssuer([redirectUri])
  const dataDir = await stage.createDataDir(oauthConfig(issuer.origin, redirectUri))
  server = await stage.start({ DATA_DIR: dataDir, PORT: String(port), ...oauthSecret })
})
afterAll(async () => {
  await stage.close()
  await issuer?.stop()
})

/** The part of the browser and its page. */
const passThrough = async (link: string, login: string): Promise<number> => {
  const back = new URL(link).searchParams.get('returnUrl') ?? ''
  const url = await passLoginForm({ browser: createBrowser(), url: link, login, isEnd: (at) => at.startsWith(back) })
  const fields = Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))
  const headers = { 'Content-Type': 'application/json', Origin: new URL(back).origin }
  const answer = await fetch(back, { method: 'POST', headers, body: JSON.stringify(fields) })
  return answer.status
}

describe('a program in Node whose player signs in at an identity provider', () => {
  it('is verified, with the groups of the provider, in the API and in the game', async () => {
    const answers: Promise<number>[] = []
    const me = await signInByLoopback({ url: server.url, show: (link) => answers.push(passThrough(link, 'boss')) })
    expect(await Promise.all(answers)).toEqual([204])
    expect(me.displayName).toBe('Boss')
    const { body } = await createCall(me)('GET /api/admin/groups')
    expect(body.groups.length).toBeGreaterThan(0)
    const session = await connect(me, { WebSocket })
    expect(session.welcome().groups).toContain('admin')
    expect(await me.renew()).toBe(me.token())
    await session.close()
    me.close()
  })

  it('gets the reason when the server does not allow the loopback address', async () => {
    const redirectUri = 'http://127.0.0.1:3000/auth/callback'
    const config = oauthConfig(issuer.origin, redirectUri).replace('http://127.0.0.1/]', 'https://game.example.org/]')
    const strict = await stage.start({ DATA_DIR: await stage.createDataDir(config), ...oauthSecret })
    const shown: string[] = []
    await expect(signInByLoopback({ url: strict.url, show: (link) => shown.push(link) })).rejects.toMatchObject({
      type: '/problems/return-url-not-allowed',
      message: expect.stringContaining('auth.oauth.allowedReturnUrls'),
    })
    expect(shown).toEqual([])
  })
})
