import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { issuerPassword } from '../../support/auth/issuer-client.ts'
import { type LoginIssuer, startLoginIssuer } from '../../support/auth/login-issuer.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { passLoginForm } from '../../support/auth/pass-login-form.ts'
import { type Chromium, describeBrowser, openChromium } from '../../support/pages/chromium.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { ask } from '../support/api.ts'
import { oauthConfig, oauthSecret } from '../support/oauth-config.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeBrowser('a sign-in through an identity provider in Chromium', () => {
  let issuer: LoginIssuer
  let server: Server
  let browser: Chromium
  const game = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>The game</title>')
  })
  const asked: string[] = []
  let gameUrl: string

  beforeAll(async () => {
    const port = await findFreePort()
    const redirectUri = `http://127.0.0.1:${port}/auth/callback`
    await once(game.listen(0, '127.0.0.1'), 'listening')
    gameUrl = `http://127.0.0.1:${(game.address() as AddressInfo).port}/play`
    issuer = await startLoginIssuer([redirectUri])
    const dataDir = await stage.createDataDir(oauthConfig(issuer.origin, redirectUri))
    server = await stage.start({ DATA_DIR: dataDir, PORT: String(port), ...oauthSecret })
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await stage.close()
    await issuer?.stop()
    game.closeAllConnections()
    game.close()
  })

  const startUrl = () => `${server.url}/auth/oauth/start?returnUrl=${encodeURIComponent(gameUrl)}`
  const fillIn = async (page: Page, login: string, password = issuerPassword) => {
    await page.getByLabel('Name').fill(login)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  /** A page of a browser without a sign-in. */
  const openPage = async (): Promise<Page> => {
    await browser.context.clearCookies()
    return browser.context.newPage()
  }

  it('passes the form of the provider and returns to the game, with a token only in the fragment', async () => {
    const page = await openPage()
    await page.goto(startUrl())
    expect(new URL(page.url()).origin).toBe(issuer.origin)
    const begun = (await browser.context.cookies(server.url)).filter(({ name }) => name.includes('gatehouse'))
    expect(begun).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Lax' })])
    await fillIn(page, 'ann', 'a wrong one')
    expect(await page.getByRole('alert').textContent()).toBe('That is not the password.')
    await fillIn(page, 'ann')
    await page.waitForURL(`${gameUrl}#**`)
    const fragment = new URLSearchParams(new URL(page.url()).hash.slice(1))
    expect(fragment.get('displayName')).toBe('Ann')
    expect(asked.join()).not.toContain('token')
    const token = fragment.get('token') ?? ''
    expect(await ask(server.url, 'GET /auth/me', { token })).toMatchObject({
      status: 200,
      body: { displayName: 'Ann', playerId: fragment.get('playerId') },
    })
    // The cookie of a sign-in ends with it.
    const left = await browser.context.cookies(server.url)
    expect(left.filter(({ name }) => name.includes('gatehouse'))).toEqual([])
    await page.close()
  })

  it('shows a problem when the player declines, and lets them start again', async () => {
    const page = await openPage()
    await page.goto(startUrl())
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${server.url}/auth/callback`)),
      page.getByRole('button', { name: 'No, thanks' }).click(),
    ])
    expect(answer.status()).toBe(401)
    await page.getByRole('heading', { name: 'Consent refused' }).waitFor()
    expect(await page.getByRole('link', { name: 'Play' }).getAttribute('href')).toBe('../play')
    await page.goto(startUrl())
    await fillIn(page, 'ann')
    await page.waitForURL(`${gameUrl}#**`)
    await page.close()
  })

  it('cannot be completed in another browser that opens its last address', async () => {
    const isCallback = (url: string) => url.startsWith(`${server.url}/auth/callback`)
    const address = await passLoginForm({ browser: createBrowser(), url: startUrl(), login: 'ann', isEnd: isCallback })
    const page = await openPage()
    const answer = await page.goto(address)
    expect(answer?.status()).toBe(400)
    await page.getByRole('heading', { name: 'Wrong browser' }).waitFor()
    await page.close()
  })

  it('returns an administrator to the requested console page, with no token in its address', async () => {
    const page = await openPage()
    await page.goto(`${server.url}/console#/people`)
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await fillIn(page, 'boss')
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await page.getByRole('link', { name: 'Boss', exact: true }).waitFor()
    expect(page.url()).toBe(`${server.url}/console#/people`)
    await page.close()
  })

  it('lets the terminal client into the game, and leaves no token in the address bar', async () => {
    const client = stage.launch('sdk/examples/terminal/play.ts', ['--url', server.url], {})
    await client.shows(/Open this link/)
    const link = /http:\S+\/auth\/oauth\/start\S+/.exec(client.stdout())?.[0] ?? ''
    const page = await openPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(link)
    await fillIn(page, 'boss')
    await page.getByText('You are signed in as Boss. You may close this page.').waitFor()
    expect(page.url()).toBe(new URL(link).searchParams.get('returnUrl'))
    await client.shows('* Welcome to default, Boss.')
    client.endInput('/quit\n')
    expect(await client.ended).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })
})
