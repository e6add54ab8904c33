import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type LoginIssuer, startLoginIssuer } from '../../support/auth/login-issuer.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { passLoginForm } from '../../support/auth/pass-login-form.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import type { Child } from '../support/child.ts'
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

const play = (): Child => stage.launch('sdk/examples/terminal/play.ts', ['--url', server.url], {})

const linkOf = async (client: Child): Promise<string> => {
  await client.shows(/Open this link/)
  return /http:\S+\/auth\/oauth\/start\S+/.exec(client.stdout())?.[0] ?? ''
}

/** The part of the browser and its page. */
const signInAt = async (link: string, login: string): Promise<Response> => {
  const back = new URL(link).searchParams.get('returnUrl') ?? ''
  const url = await passLoginForm({ browser: createBrowser(), url: link, login, isEnd: (at) => at.startsWith(back) })
  const fields = Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))
  const headers = { 'Content-Type': 'application/json', Origin: new URL(back).origin }
  return fetch(back, { method: 'POST', headers, body: JSON.stringify(fields) })
}

describe('the terminal client of a server with an identity provider', () => {
  it('prints a link, and joins verified with mapped groups when the browser returns', async () => {
    const boss = play()
    expect((await signInAt(await linkOf(boss), 'boss')).status).toBe(204)
    await boss.shows('* Welcome to default, Boss.')
    boss.write('/why boss@example.com admin.users.write\n')
    await boss.shows(/admin\.users\.write.*admin/)
    boss.endInput('/quit\n')
    expect(await boss.ended).toBe(0)
    expect(boss.stdout()).not.toMatch(/token=/)
    expect(stage.output()).not.toMatch(/[?&#]token=/)
  })

  it('exits with 1 and the reason when the server does not allow its address', async () => {
    const elsewhere = await stage.createDataDir(
      oauthConfig(issuer.origin, 'http://127.0.0.1:3000/auth/callback').replace(
        'http://127.0.0.1/]',
        'https://game.example.org/]',
      ),
    )
    const strict = await stage.start({ DATA_DIR: elsewhere, ...oauthSecret })
    const client = stage.launch('sdk/examples/terminal/play.ts', ['--url', strict.url], {})
    expect(await client.ended).toBe(1)
    expect(client.stderr()).toMatch(/^The server refused the sign-in: .*auth\.oauth\.allowedReturnUrls/)
  })

  it('exits with 1 at Ctrl-C while it waits for the browser', async () => {
    const client = play()
    await linkOf(client)
    client.signal('SIGINT')
    expect(await client.ended).toBe(1)
    expect(client.stderr()).toBe('No sign-in.\n')
  })
})
