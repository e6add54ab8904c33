import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { administrator, createStage, quickConfig, type Server } from '../e2e/support/stage.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/pages/console-page.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
const settings = `# The settings of a test.
${quickConfig}realtime:
  motd: "<b onclick=alert(1)>Hello</b>" # Shown to everyone.
  viewRadius: 8
`

/** The answer of a server that is stopping. */
const away = {
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  code: 'stopping',
  detail: 'The server is stopping.',
}
const problem = { status: 503, contentType: 'application/problem+json' }

describeBrowser('configs in the console', () => {
  const stage = createStage()
  let browser: Chromium
  let server: Server
  let tab: ConsolePage
  let page: Page
  let file: string

  beforeAll(async () => {
    browser = await openChromium()
    const dataDir = await stage.createDataDir(settings)
    file = join(dataDir, 'config', 'server.yaml')
    server = await stage.start({ DATA_DIR: dataDir })
    tab = await openConsolePage({ browser, url: server.url, token: await stage.claim(server) })
    page = tab.page
  }, slow)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
  }, slow)

  const editor = () => page.getByRole('textbox', { name: 'server.yaml' })
  const show = async (view = 'text') => {
    await tab.show(`configs/server.yaml?view=${view}`, 'Settings')
    await page.getByRole('link', { name: 'Revisions' }).waitFor()
  }
  /** Types at the end of the text. */
  const type = async (text: string) => {
    await editor().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(text)
  }
  const confirm = async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(/applies /)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  const save = async () => {
    await confirm()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  it(
    'names a fault with its line during typing, and does not save it',
    async () => {
      await show()
      await type('  viewRadius: 9\n')
      const fault = page.getByRole('link', { name: 'line 7, column' })
      await fault.waitFor()
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      await page.keyboard.press('Control+Home')
      await fault.click()
      // The page moves the cursor after the address has changed.
      await editor().and(page.locator(':focus')).waitFor()
      await page.keyboard.type('#')
      await page.getByRole('status').filter({ hasText: 'error' }).waitFor({ state: 'detached' })
      await editor().getByText('#viewRadius: 9').waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await editor().getByText('viewRadius: 9').waitFor({ state: 'detached' })
      expect(await readFile(file, 'utf8')).toBe(settings)
    },
    slow,
  )

  it(
    'finds text with Control and F',
    async () => {
      await show()
      await editor().click()
      await page.keyboard.press('Control+f')
      const field = page.getByRole('textbox', { name: 'Find' })
      await field.and(page.locator(':focus')).waitFor()
      await page.keyboard.type('viewRadius')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'detached' })
      await editor().and(page.locator(':focus')).waitFor()
      // Replaces what the search has selected.
      await page.keyboard.type('found')
      await editor().getByText('found: 8').waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
    },
    slow,
  )

  it(
    'completes keys and values by the schema, shows effects by key, and keeps comments',
    async () => {
      await show()
      await type('  adm')
      // By mouse: completions ignore Enter just after they open, because it may be meant for a new line.
      await page.getByRole('option', { name: /^admission/ }).click()
      await page.keyboard.type('per')
      await page.getByRole('option', { name: 'permission' }).click()
      await page.keyboard.type('\ntickRate: 10\n')
      await page.getByRole('link', { name: 'Changes' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Game › Admission: everyone → permission applies on save' }).waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Ticks per second: 20 → 10 applies after a restart' }).waitFor()
      await save()
      await page.getByText('Some changes in server.yaml apply after a restart.').waitFor()
      const saved = await readFile(file, 'utf8')
      expect(saved).toContain(settings.trimEnd())
      expect(saved).toContain('  admission: permission\n  tickRate: 10\n')
    },
    slow,
  )

  it(
    'changes the same document as a form: one value, with the comments in place',
    async () => {
      const before = await readFile(file, 'utf8')
      await show('form')
      expect(await page.getByRole('textbox', { name: 'Ticks per second' }).inputValue()).toBe('10')
      await page.getByRole('textbox', { name: 'View distance' }).fill('6')
      expect(await page.getByRole('textbox', { name: 'Welcome message' }).inputValue()).toBe('<b onclick=alert(1)>Hello</b>')
      await page.getByRole('link', { name: 'Text' }).click()
      await editor().getByText('viewRadius: 6').waitFor()
      // The next change is based on the saved version: the dialog stays until the page has read it.
      const held = { reads: 0, isOver: false }
      const fileUrl = '**/api/admin/configs/server.yaml'
      await page.route(fileUrl, async (route) => {
        if (route.request().method() === 'GET') {
          held.reads += 1
          await waitFor(() => held.isOver, undefined, 200)
        }
        await route.continue()
      })
      await confirm()
      await page.getByText('Some changes in server.yaml apply after a restart.').waitFor()
      await waitFor(() => held.reads > 0)
      expect(await page.getByRole('dialog').count()).toBe(1)
      held.isOver = true
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.unrouteAll({ behavior: 'wait' })
      // Blanks at the end of the file do not matter.
      expect((await readFile(file, 'utf8')).trimEnd()).toBe(before.replace('viewRadius: 8', 'viewRadius: 6').trimEnd())
    },
    slow,
  )

  it(
    'shows a fault of the form at its field: named, linked, uncovered, focused from the list',
    async () => {
      await show('form')
      const field = page.getByRole('textbox', { name: 'Ticks per second' })
      await field.evaluate((node) => node.scrollIntoView({ block: 'end' }))
      await field.fill('900')
      const list = page.locator('.faults')
      const link = list.getByRole('button', { name: 'Ticks per second' })
      await link.waitFor()
      expect(await list.getByRole('listitem').textContent()).toMatch(/^Game › Ticks per second must be at most 60/)
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      const message = page.locator('.form-fault')
      const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
      const holder = await message.evaluate((node) => (node as unknown as { parentElement: { id: string } }).parentElement.id)
      expect(described).toContain(holder)
      const [below, above] = [await list.boundingBox(), await message.boundingBox()]
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
      // A field in a closed section, far from the screen.
      await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
      await page.locator('.form-section.first > details', { has: field }).locator('> summary').click()
      await field.waitFor({ state: 'detached' })
      await link.click()
      await field.and(page.locator(':focus')).waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await list.waitFor({ state: 'detached' })
      expect(await field.getAttribute('aria-invalid')).toBe('false')
    },
    slow,
  )

  it(
    'overwrites no other admin, keeps edits over a reload, and continues from the newer text',
    async () => {
      await show()
      await type('  maxSessions: 70\n')
      await page.getByText('unsaved').first().waitFor()
      const theirs = `${await readFile(file, 'utf8')}# by hand\n`
      await writeFile(file, theirs)
      await page.reload()
      await page.getByText('Another admin saved this file.').waitFor()
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await page.getByText('Another admin saved').waitFor({ state: 'detached' })
      await editor().getByText('maxSessions: 70').waitFor()
      expect(await readFile(file, 'utf8')).toBe(theirs)
      await save()
      expect(await readFile(file, 'utf8')).toContain('maxSessions: 70')
    },
    slow,
  )

  it(
    'shows the author and the changes of each version, and restores one',
    async () => {
      await show('revisions')
      const versions = page.locator('.version')
      await versions.first().getByText('Current').waitFor()
      expect(await versions.first().textContent()).toContain(administrator.email)
      expect(await versions.first().textContent()).toContain('Game › Players per node')
      expect(await versions.last().textContent()).toContain('Edited outside the console')
      await versions.last().getByRole('button', { name: 'Compare' }).click()
      await page.getByRole('button', { name: 'Restore this version' }).click()
      await save()
      expect(await readFile(file, 'utf8')).toBe(settings)
    },
    slow,
  )

  it(
    'keeps unsaved text when the sign-in ends, until the user signs out',
    async () => {
      await show()
      await type('  maxSessions: 60\n')
      const token = String(await page.evaluate("sessionStorage.getItem('gatehouse.token')"))
      await ask(server.url, 'POST /auth/logout', { token })
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.waitFor()
      for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('Escape')
      await dialog.getByLabel('Password').fill(administrator.password)
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await dialog.waitFor({ state: 'detached' })
      await editor().getByText('maxSessions: 60').waitFor()
      const next = String(await page.evaluate("sessionStorage.getItem('gatehouse.token')"))
      await ask(server.url, 'POST /auth/logout', { token: next })
      await dialog.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are signed out.').waitFor()
      expect(await page.evaluate("sessionStorage.getItem('gatehouse.draft.server.yaml')")).toBeNull()
      await page.getByLabel('Email').fill(administrator.email)
      await page.getByLabel('Password').fill(administrator.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await editor().waitFor()
    },
    slow,
  )

  it(
    'reports a saved text whose reload fails, and can save again',
    async () => {
      const before = await readFile(file, 'utf8')
      await show()
      await page.route('**/api/admin/reload', (route) => route.fulfill({ ...problem, body: JSON.stringify(away) }))
      await type('  messageBurst: 130')
      await save()
      await page.getByText(`Saved, but not applied: ${away.detail}`).waitFor()
      expect(await readFile(file, 'utf8')).toContain('messageBurst: 130')
      await page.unroute('**/api/admin/reload')
      await type('\nresumeSeconds: 61')
      await save()
      expect(await readFile(file, 'utf8')).toBe(`${before}  messageBurst: 130\n  resumeSeconds: 61`)
    },
    slow,
  )

  it(
    'saves nothing before it has shown the changes, or if that fails',
    async () => {
      await show()
      await page.getByRole('link', { name: 'Form' }).click()
      await page.getByRole('textbox', { name: 'View distance' }).fill('5')
      let isHeld = true
      await page.route(/dryRun=true/, async (route) => {
        await waitFor(() => !isHeld, undefined, 200)
        await route.continue()
      })
      const dialog = page.getByRole('dialog')
      const saves = dialog.getByRole('button', { name: 'Save' })
      await page.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Loading…').waitFor()
      expect(await saves.isDisabled()).toBe(true)
      isHeld = false
      await dialog
        .getByText(/applies /)
        .first()
        .waitFor()
      expect(await saves.isDisabled()).toBe(false)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.unrouteAll({ behavior: 'wait' })
      await page.route(/dryRun=true/, (route) => route.fulfill({ ...problem, body: JSON.stringify(away) }))
      await page.getByRole('button', { name: 'Save' }).click()
      await dialog.getByRole('alert').getByText(away.detail).waitFor()
      expect(await saves.isDisabled()).toBe(true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.unroute(/dryRun=true/)
      await save()
      expect(await readFile(file, 'utf8')).toContain('viewRadius: 5')
    },
    slow,
  )

  it(
    'lists the files changed by a reload, or reports that there are none',
    async () => {
      await show()
      const reload = page.getByRole('button', { name: 'Reload from disk' })
      /** Reloads, and waits for its message, which it closes. */
      const reloadAndRead = async (text: string) => {
        await reload.click()
        await page.getByText(text).first().waitFor()
        // In the page itself: a message also closes by its own timer.
        await page.evaluate('document.querySelector(".toast .plain")?.click()')
        await page.locator('.toast').waitFor({ state: 'detached' })
      }
      await writeFile(file, settings)
      await reloadAndRead('Configs reloaded.')
      await writeFile(file, settings.replace('viewRadius: 8', 'viewRadius: 7'))
      await reloadAndRead('Configs reloaded. Changed: server.yaml.')
      await reloadAndRead('Configs reloaded. Nothing changed.')
      await writeFile(file, `${settings}  tickRate: 10\n`)
      await reloadAndRead('Configs reloaded. Changed: server.yaml. Some changes in server.yaml apply after a restart.')
    },
    slow,
  )

  it.each(['text', 'form', 'changes', 'revisions'])(
    'shows the view %s accessibly: axe finds nothing, and 320 pixels are enough',
    async (view) => {
      const ready = () => page.getByRole('link', { name: 'Revisions' }).waitFor()
      await tab.checkForEverybody(`configs/server.yaml?view=${view}`, 'Settings', ready)
    },
    slow,
  )

  it('violates no content policy, and throws no error', () => {
    expect(tab.faults).toEqual([])
  })
})
