import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { oauthConfig, oauthSecret } from '../e2e/support/oauth-config.ts'
import { createStage, quickConfig, type Server } from '../e2e/support/stage.ts'
import { issuerPassword } from '../support/auth/issuer-client.ts'
import { type LoginIssuer, startLoginIssuer } from '../support/auth/login-issuer.ts'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openBlindChromium, openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { openPlayPage, type PlayPage } from '../support/pages/play-page.ts'
import { createPlayPlayers } from '../support/pages/play-players.ts'
import { findFreePort } from '../support/processes/free-port.ts'

const slow = 180_000
const stage = createStage()
const motd = 'Be kind.\n<b>The market</b> is by the gate.'
const strict = `${quickConfig.replace('bcryptCost: 10', 'bcryptCost: 10, requirePassword: true, registration: invite')}
realtime: { motd: ${JSON.stringify(motd)} }
`
let browser: Browser
let server: Server
let token: string
const { open, leaveAll, expectNoFaults } = createPlayPlayers(() => ({ browser, url: server.url, token }))
const isIn = (player: PlayPage, name: string) =>
  player.page.locator('.pause', { hasText: `You are ${name}.` }).waitFor({ timeout: 60_000 })

describeBrowser('sign-in to the game in the browser', () => {
  beforeAll(async () => {
    browser = await openDrawingChromium()
    server = await stage.start({ DATA_DIR: await stage.createDataDir(strict) })
    token = await stage.claim(server)
  }, slow)
  afterAll(async () => {
    await browser.close()
    await stage.close()
  }, slow)
  afterEach(leaveAll)

  it(
    'creates an account by an invitation link, which leaves no code in the address',
    async () => {
      const { body } = await ask(server.url, 'POST /api/admin/invitations', { token, body: {} })
      const ada = await open({ path: `/play#invite=${body.code}` })
      await ada.page.waitForSelector('input[name=displayName]')
      expect(ada.page.url()).toBe(`${server.url}/play`)
      expect(await ada.page.inputValue('input[name=invitation]')).toBe(body.code)
      await ada.page.fill('input[type=email]', 'ada@example.com')
      await ada.page.fill('input[type=password]', 'the password of ada')
      await ada.page.fill('input[name=displayName]', 'Ada')
      await ada.page.click('button[type=submit]')
      await isIn(ada, 'Ada')
      expect(await ada.page.locator('.pause .motd').textContent()).toBe(motd)
      expectNoFaults(ada)
    },
    slow,
  )

  it(
    'gives the reason for a missing account, and offers a sign-in instead',
    async () => {
      const eve = await open()
      await eve.page.click('.door .link')
      await eve.page.fill('input[type=email]', 'eve@example.com')
      await eve.page.fill('input[type=password]', 'the password of eve')
      await eve.page.fill('input[name=invitation]', 'not one that anybody made')
      await eve.page.click('button[type=submit]')
      await eve.page.waitForSelector('.problem:has-text("invitation")')
      await eve.page.click('.door .link')
      await eve.page.waitForSelector('input[name=invitation]', { state: 'detached' })
      await eve.signIn('eve@example.com', 'the password of eve')
      await eve.page.waitForSelector('.problem:has-text("password")')
      expectNoFaults(eve)
    },
    slow,
  )

  it(
    'sets a new password by a reset link of an administrator, once',
    async () => {
      const email = 'forgetful@example.com'
      const added = await ask(server.url, 'POST /api/admin/users', { token, body: { email, password: 'one that is forgotten' } })
      expect(added.status).toBe(201)
      const { body } = await ask(server.url, `POST /api/admin/users/${email}/reset-link`, { token })
      const one = await open({ path: `/play#reset=${body.code}` })
      await one.page.fill('input[type=password]', 'a new one that stays')
      await one.page.click('button[type=submit]')
      await one.page.waitForSelector('.door [role=status]:has-text("Your password is set.")')
      await one.signIn(email, 'one that is forgotten')
      await one.page.waitForSelector('.problem')
      await one.signIn(email, 'a new one that stays')
      await isIn(one, 'forgetful')
      const again = await open({ path: `/play#reset=${body.code}` })
      await again.page.fill('input[type=password]', 'another one')
      await again.page.click('button[type=submit]')
      await again.page.waitForSelector('.problem:has-text("link")')
      expectNoFaults(one, again)
    },
    slow,
  )

  it(
    'requests a name for the first sign-in by email, and reports a taken name',
    async () => {
      const nearby = await stage.start({ DATA_DIR: await stage.createDataDir(quickConfig) })
      const visit = async (email: string) => {
        const player = await open({ url: nearby.url })
        await player.page.getByLabel('Display name (first visit only)').fill('Ada Lovelace')
        await player.signIn(email)
        return player
      }
      const ada = await visit('ada@example.com')
      await isIn(ada, 'Ada Lovelace')
      const eve = await visit('eve@example.com')
      await eve.page.waitForSelector('.problem:has-text("display name")')
      expectNoFaults(ada, eve)
    },
    slow,
  )

  it(
    'reports before the sign-in that the browser has no WebGL, and continues with it',
    async () => {
      const blind = await openBlindChromium()
      try {
        const { page, faults, context } = await openPlayPage(blind, { url: server.url })
        await page.waitForSelector('[role=alert]:has-text("cannot draw")')
        expect(await page.locator('input').count()).toBe(0)
        expect(await page.getByRole('link', { name: 'the console' }).getAttribute('href')).toBe(`${server.url}/console`)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.waitForSelector('[role=status]:has-text("WebGL 2 is still not available")')
        expect(faults).toEqual([])
        const token = '00000000-0000-4000-8000-000000000000'
        await page.goto('about:blank')
        await page.goto(`${server.url}/play#token=${token}&displayName=Ada&playerId=${token}`)
        await page.waitForSelector('[role=alert]:has-text("cannot draw")')
        expect(page.url()).not.toContain(token)
        await context.close()
      } finally {
        await blind.close()
      }
      const late = await open({
        path: '/play#invite=CODE',
        before: (page) =>
          page.addInitScript(`{
            const { getContext } = HTMLCanvasElement.prototype
            HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
              return kind === 'webgl2' && !window.canDraw ? null : getContext.call(this, kind, ...more)
            }
          }`),
      })
      await late.page.waitForSelector('[role=alert]:has-text("cannot draw")')
      await late.page.evaluate('window.canDraw = true')
      await late.page.getByRole('button', { name: 'Try again' }).click()
      expect(await late.page.inputValue('input[name=invitation]')).toBe('CODE')
      expectNoFaults(late)
    },
    slow,
  )

  it(
    'lists missing browser features, and never shows an empty page',
    async () => {
      const old = await open({
        before: (page) =>
          page.route('**/pages/main-*.js', (route) =>
            route.fulfill({ contentType: 'text/javascript', body: 'class Game { syntax of a later year }' }),
          ),
      })
      await old.page.waitForSelector('[role=alert]:has-text("too old"):has-text("iOS 16.4")')
      const lacking = await open({
        before: (page) => page.addInitScript('delete AbortSignal.prototype.throwIfAborted'),
      })
      await lacking.page.waitForSelector('[role=alert]:has-text("too old")')
      expect(await lacking.page.locator('input').count()).toBe(0)
      expectNoFaults(lacking)
    },
    slow,
  )

  it(
    'signs no one in by a link with a token, in the game and in the console',
    async () => {
      for (const path of ['/play', '/console']) {
        const eve = await open({ path: `${path}#token=${token}&displayName=Boss&playerId=x` })
        await eve.page.waitForSelector('[role=status]:has-text("did not begin in this tab")', { timeout: 60_000 })
        await eve.page.waitForSelector('input[type=email]')
        expect(eve.page.url().replace(/#.*$/, '')).toBe(`${server.url}${path}`)
        expect(eve.page.url()).not.toContain(token)
        expectNoFaults(eve)
      }
    },
    slow,
  )

  it(
    'returns signed in from an identity provider, without a token in the address',
    async () => {
      const port = await findFreePort()
      const redirectUri = `http://127.0.0.1:${port}/auth/callback`
      const issuer: LoginIssuer = await startLoginIssuer([redirectUri])
      try {
        const dataDir = await stage.createDataDir(oauthConfig(issuer.origin, redirectUri))
        const provided = await stage.start({ DATA_DIR: dataDir, PORT: String(port), ...oauthSecret })
        const ann = await open({ url: provided.url })
        await ann.page.click('.door button.main')
        await ann.page.getByLabel('Name').fill('ann')
        await ann.page.getByLabel('Password').fill(issuerPassword)
        await ann.page.getByRole('button', { name: 'Sign in' }).click()
        await isIn(ann, 'Ann')
        expect(ann.page.url()).toBe(`${provided.url}/play`)
        await ann.play()
        await ann.page.reload()
        await isIn(ann, 'Ann')
        expectNoFaults(ann)
      } finally {
        await issuer.stop()
      }
    },
    slow,
  )
})
