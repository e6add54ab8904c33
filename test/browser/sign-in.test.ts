import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { administrator, createStage, type Server } from '../e2e/support/stage.ts'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { signOut } from '../support/pages/sign-out.ts'
import { findFreePort } from '../support/processes/free-port.ts'

const slow = 180_000

describeBrowser('sign-in on the pages, if no password is required', () => {
  const stage = createStage()
  let browser: Browser
  let server: Server
  let dataDir: string
  let port: string

  const start = () => stage.start({ DATA_DIR: dataDir, PORT: port })
  const openContext = () => browser.newContext({ viewport: { width: 480, height: 320 } })
  const openTab = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${server.url}${path}`)
    return page
  }
  const signIn = async (page: Page, password: string): Promise<void> => {
    await page.getByLabel('Email').fill(administrator.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const isHome = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const isOut = (page: Page) => page.getByText('You are signed out.').waitFor()

  beforeAll(async () => {
    browser = await openDrawingChromium()
    dataDir = await stage.createDataDir()
    port = String(await findFreePort())
    server = await start()
    await stage.claim(server)
  }, slow)
  afterAll(async () => {
    await browser.close()
    await stage.close()
  }, slow)

  it(
    'reports a wrong password in the console, and lets the user try again',
    async () => {
      const context = await openContext()
      const page = await openTab(context, '/console')
      await signIn(page, 'not the password')
      await page.getByRole('alert').getByText('Wrong password.').waitFor()
      expect(await page.evaluate('localStorage["gatehouse.token"]')).toBeUndefined()
      await signIn(page, administrator.password)
      await isHome(page)
      const notice = page.getByText('a wrong password was tried once for your account')
      await notice.waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await notice.waitFor({ state: 'detached' })
      await context.close()
    },
    slow,
  )

  it(
    'reports a wrong password in the game, which can be played without one',
    async () => {
      const context = await openContext()
      const page = await openTab(context, '/play')
      await page.getByLabel('Email').fill(administrator.email)
      await page.getByText('I have a password').click()
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Play' }).click()
      await page.getByRole('alert').getByText('Wrong password.').waitFor()
      expect(await page.locator('.game').count()).toBe(0)
      await page.getByRole('button', { name: 'Continue without a password' }).click()
      await page.locator('.game').waitFor()
      await context.close()
    },
    slow,
  )

  it(
    'requests a sign-in once per browser, until the user signs out in one tab',
    async () => {
      const context = await openContext()
      const first = await openTab(context, '/console')
      await signIn(first, administrator.password)
      await isHome(first)
      const second = await openTab(context, '/console#/people')
      await second.getByRole('link', { name: administrator.email.replace(/@.*/, '') }).waitFor()
      const game = await openTab(context, '/play')
      await game.locator('.game').waitFor()
      await second.reload()
      await second.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
      await first.getByRole('button', { name: 'Menu' }).click()
      await signOut(first)
      for (const page of [first, second]) await isOut(page)
      await game.getByLabel('Email').waitFor()
      const third = await openTab(context, '/console')
      await third.getByLabel('Email').waitFor()
      await context.close()
    },
    slow,
  )

  it(
    'locks the console for a player without a password, and offers a password sign-in',
    async () => {
      const context = await openContext()
      const game = await openTab(context, '/play')
      await game.getByLabel('Email').fill(administrator.email)
      await game.getByRole('button', { name: 'Play' }).click()
      await game.locator('.game').waitFor()
      const page = await openTab(context, '/console')
      await page.getByText('the console is locked').waitFor()
      await page.getByRole('button', { name: 'Sign in with your password' }).click()
      expect(await page.getByLabel('Email').inputValue()).toBe(administrator.email)
      await signIn(page, administrator.password)
      await isHome(page)
      await page.getByText('the console is locked').waitFor({ state: 'detached' })
      expect(await game.locator('.game').count()).toBe(1)
      await context.close()
    },
    slow,
  )

  it(
    'opens the console to an administrator with a common password once it has set another',
    async () => {
      const email = 'cem@example.com'
      const users = join(dataDir, 'config', 'users.yaml')
      const session = await ask(server.url, 'POST /auth/login', { body: administrator })
      const body = { email, password: 'password1', groups: ['player'] }
      const answer = await ask(server.url, 'POST /api/admin/users', { token: String(session.body.token), body })
      expect(answer.status).toBe(201)
      const text = await readFile(users, 'utf8')
      await writeFile(users, text.replace('groups: [player]', 'groups: [admin]'))
      const context = await openContext()
      const page = await openTab(context, '/console')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill('password1')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('one of the 10,000 most common').waitFor()
      await page.getByLabel('Current password').fill('password1')
      await page.getByLabel('New password').fill('jH4!xk09-quiet-otter')
      await page.getByRole('button', { name: 'Set new password' }).click()
      await page.getByText('one of the 10,000 most common').waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await context.close()
    },
    slow,
  )

  it(
    'requires a password from the claim on if chosen, and keeps the comments of server.yaml',
    async () => {
      const fresh = await stage.createDataDir('# Ours.\nauth: { local: { bcryptCost: 10 } } # fast\n')
      const { url, stdout, shows } = await stage.start({ DATA_DIR: fresh })
      const link = /\/claim#(\S+)/
      await shows(link)
      const context = await openContext()
      const page = await context.newPage()
      await page.goto(`${url}/claim#${link.exec(stdout())?.[1]}`)
      await page.getByLabel('Email').fill(administrator.email)
      await page.getByLabel('Password').fill(administrator.password)
      await page.getByRole('button', { name: 'Claim server' }).click()
      await page.getByText('Players need a password.').waitFor()
      const { body } = await ask(url, 'GET /api/auth/config')
      expect(body).toEqual({ provider: 'local', requirePassword: true, registration: 'invite' })
      expect(await readFile(join(fresh, 'config', 'server.yaml'), 'utf8')).toBe(
        '# Ours.\nauth: { local: { bcryptCost: 10, requirePassword: true, registration: invite } } # fast\n',
      )
      await page.getByRole('button', { name: 'Play in the browser' }).click()
      await page.locator('.game').waitFor()
      await context.close()
    },
    slow,
  )
})
