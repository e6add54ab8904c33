import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { createStage, type Server } from '../e2e/support/stage.ts'
import { fillConsole } from '../screenshots/fill-console.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { compareLook } from '../support/pages/compare-look.ts'
import { type ConsolePage, openConsolePage } from '../support/pages/console-page.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
/** The widths of common screens, and the two where tables and the sidebar have the least room. */
const widths = [320, 390, 768, 992, 1024, 1440, 1920]
/** The two ways in which a page is compared with its stored picture. */
const looks = [
  ['wide', { width: 1280, height: 800 }, 'light'],
  ['narrow', { width: 390, height: 800 }, 'dark'],
] as const
/** The longest time that a list shows: a date. */
const longestTime = 'Sep 30, 2026, 12:59 PM'

/** Written from right to left, so that a test finds text that is not isolated. */
const hebrew = { person: 'נועה לוי', zone: 'כיכר השוק', reason: 'צעקות בכיכר', greeting: 'ברוכים הבאים' } as const

/**
 * The width of the page, and the elements that overflow the screen, once the layout no longer changes. Relative times grow while
 * a page is open, so each time has its longest text.
 */
const measure = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  for (const one of document.querySelectorAll('td time')) one.textContent = ${JSON.stringify(longestTime)}
  const size = () => [...document.querySelectorAll('body *')].map((one) => one.scrollWidth + ' ' + one.clientWidth).join()
  for (let before = '', frames = 0; frames < 30; frames += 1) {
    await frame()
    const now = size()
    if (now === before) break
    before = now
  }
  const { scrollWidth, clientWidth } = document.documentElement
  const beyond = [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
    .map((one) => one.tagName.toLowerCase() + (one.className && typeof one.className === 'string' ? '.' + one.className.replaceAll(' ', '.') : ''))
  // A door hides what is beyond it, and a table scrolls by itself.
  const hidden = [...document.querySelectorAll('.door, .table')].map((one) => ({ one, by: one.scrollWidth - one.clientWidth }))
  for (const { one, by } of hidden) if (by > 0) beyond.push('inside ' + one.className + ': ' + [...one.querySelectorAll('th')].map((head) => head.textContent + ' ' + head.offsetWidth).join(', '))
  return { wide: scrollWidth + Math.max(0, ...hidden.map(({ by }) => by)), beyond: beyond.slice(0, 6).join(' ') }
})()`

/** Texts in Hebrew that neither bdi nor a direction on their element isolates. */
const listMixed = `(() => {
  const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode
    if (/[\\u0590-\\u05ff]/.test(data) && parentElement.closest('bdi, [dir=auto], option, .cm-editor') === null) found.push(data)
  }
  return found
})()`

/** The name of a picture: "configs/server.yaml?view=text" is "configs-server-yaml-text". */
const nameOf = (address: string): string =>
  decodeURIComponent(address)
    .replace(/[?&]\w+=/g, '-')
    .replace(/@.*/, '')
    .replace(/[^\w]+/g, '-')

describeBrowser('pages at every width', () => {
  const stage = createStage()
  let browser: Chromium
  let unclaimed: Server
  let server: Server
  let token: string
  let tab: ConsolePage
  let visitor: Chromium
  /** A page of a browser that never signed in. */
  let visit: Page
  let zone = ''
  let leave: () => Promise<void> = async () => undefined

  /** The widths at which a page scrolls sideways. */
  const findTooWide = async (page: Page): Promise<readonly string[]> => {
    const faults: string[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const { wide, beyond } = (await page.evaluate(measure)) as { readonly wide: number; readonly beyond: string }
      if (wide > width) faults.push(`${width}: ${wide} wide (${beyond})`)
    }
    return faults
  }

  /** Compares a page, wide and light, narrow and dark, with its pictures in test/browser/looks. */
  const compareLooks = async (page: Page, name: string): Promise<readonly string[]> => {
    const faults: string[] = []
    for (const [look, size, colorScheme] of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      faults.push(...(await compareLook(page, `${name}-${look}`)))
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
    return faults
  }

  beforeAll(async () => {
    browser = await openChromium({ isComplete: true })
    unclaimed = await stage.start({ DATA_DIR: await stage.createDataDir() })
    server = await stage.start({ DATA_DIR: await stage.createDataDir() })
    token = await stage.claim(server)
    leave = await fillConsole(server.url, token)
    // The pictures show finished jobs.
    await waitFor(async () => {
      const { jobs } = (await ask(server.url, 'GET /api/admin/jobs', { token })).body
      return (jobs as { state: string }[]).every(({ state }) => state === 'done')
    })
    const call = (route: string, body: object) => ask(server.url, route, { token, body })
    const [made] = JSON.parse((await ask(server.url, 'GET /api/admin/instances', { token })).text)
    zone = made.id
    await call('PUT /api/admin/users/jonas@example.com', { displayName: hebrew.person })
    await call(`PUT /api/admin/instances/${zone}`, { name: hebrew.zone })
    await call(`PUT /api/admin/instances/${zone}/rules`, { build: 'members', greeting: hebrew.greeting })
    await call('POST /api/admin/sanctions', { kind: 'ban', email: 'rui@example.com', reason: hebrew.reason })
    tab = await openConsolePage({ browser, url: server.url, token })
    visitor = await openChromium({ isComplete: true })
    visit = await visitor.context.newPage()
  }, slow)
  afterAll(async () => {
    await leave()
    await browser?.close()
    await visitor?.close()
    await stage.close()
  }, slow)

  it.each([
    ['home', 'Overview'],
    ['people', 'Accounts'],
    ['people/jonas%40example.com', hebrew.person],
    ['people/a.very.long.address.of.somebody%40department.university.example.com', 'Somebody with a long name'],
    ['groups', 'Groups'],
    ['players', 'Online'],
    ['moderation', 'Moderation'],
    ['moderation/sanctions', 'Moderation'],
    ['moderation/chat', 'Moderation'],
    ['console', 'Commands'],
    ['configs/server.yaml?view=text', 'Settings'],
    ['configs/server.yaml?view=form', 'Settings'],
    ['configs/groups.yaml?view=changes', 'Settings'],
    ['configs/groups.yaml?view=revisions', 'Settings'],
    ['map?world=default', 'Map'],
    ['map?world=default&tab=players', 'Map'],
    ['map?world=default&tab=history', 'Map'],
    ['map/ZONE', hebrew.zone],
    ['map/ZONE/blocks', `${hebrew.zone} in 3D`],
    ['worlds', 'Worlds'],
    ['jobs', 'Jobs'],
    ['backups', 'Backups'],
    ['audit', 'Audit log'],
    ['nothing-of-this-name', 'Page not found.'],
  ])(
    'does not scroll sideways on %s, looks as in its pictures, and isolates texts by people',
    async (address, heading) => {
      await tab.show(address.replace('ZONE', zone), heading)
      await tab.page.locator('.skeleton', { hasText: 'Loading…' }).first().waitFor({ state: 'detached' })
      expect(await findTooWide(tab.page)).toEqual([])
      expect(await tab.page.evaluate(listMixed)).toEqual([])
      // The durations of jobs have words of different lengths, which wrap differently.
      if (address !== 'jobs') expect(await compareLooks(tab.page, nameOf(address))).toEqual([])
    },
    slow,
  )

  it.each([
    ['the claim page', () => `${unclaimed.url}/claim#a-claim`, 'Claim server'],
    ['the console of a new server', () => `${unclaimed.url}/console`, 'This server has no administrator yet'],
    ['the sign-in page', () => `${server.url}/console`, 'Sign in'],
    ['the page of an invitation', () => `${server.url}/console#invite=a-code`, 'Create account'],
    ['the page of a forgotten password', () => `${server.url}/console#reset=a-code`, 'Set password'],
    ['the sign-in page of the game', () => `${server.url}/play`, 'Play'],
    ['the page of an unknown address', () => `${server.url}/nothing-of-this-name`, ''],
  ])(
    'does not scroll sideways on %s, and looks as in its pictures',
    async (name, address, text) => {
      await visit.goto('about:blank')
      await visit.goto(address())
      await visit.getByText(text).first().waitFor({ timeout: 60_000 })
      expect(await findTooWide(visit)).toEqual([])
      expect(await compareLooks(visit, nameOf(name))).toEqual([])
    },
    slow,
  )
})
