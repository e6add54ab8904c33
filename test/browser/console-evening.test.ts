import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { administrator, createStage, type Server } from '../e2e/support/stage.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { waitFor } from '../support/time/wait-for.ts'

const claimLink = /\/claim#(\S+)/
/** The clicks of each part of the evening. Typing, Tab and Enter in a form are not clicks. */
const most = { claim: 2, accounts: 3, grant: 3, ban: 2, undo: 1, zone: 3, config: 3, rollback: 1, snapshot: 1, backup: 2 }
/** Half of the 42 clicks before the second edition of the console. */
const mostInAll = 21

describeBrowser('an evening of an administrator', () => {
  const stage = createStage()
  let browser: Chromium
  let server: Server
  let page: Page
  let dataDir: string

  beforeAll(async () => {
    browser = await openChromium()
    dataDir = await stage.createDataDir()
    server = await stage.start({ DATA_DIR: dataDir })
    page = await browser.context.newPage()
    page.setDefaultTimeout(60_000)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
  })

  it('takes few clicks and no reload, from the claim to a backup', async () => {
    const clicks: Partial<Record<keyof typeof most, number>> = {}
    let part: keyof typeof most = 'claim'
    const click = async (target: Locator): Promise<void> => {
      clicks[part] = (clicks[part] ?? 0) + 1
      await target.click()
    }
    const press = (name: string, from: Pick<Page, 'getByRole'> = page) => click(from.getByRole('button', { name, exact: true }))
    const open = (name: string) => click(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }))
    const dialog = page.getByRole('dialog')
    const closed = () => dialog.waitFor({ state: 'detached' })
    const toast = page.locator('.toast')

    await server.shows(claimLink)
    await page.goto(`${server.url}/claim#${claimLink.exec(server.stdout())?.[1]}`)
    await page.getByLabel('Email').fill(administrator.email)
    await page.getByLabel('Password').fill(administrator.password)
    await press('Claim server')
    await press('Open the console')
    await page.evaluate("window.isSamePage = 'yes'")

    part = 'accounts'
    await open('Accounts')
    await press('Add account')
    const emails = ['ann', 'ben', 'cem', 'dee', 'eva'].map((name) => `${name}@example.com`)
    await dialog.getByLabel('Email').fill(emails.join(', '))
    await dialog.getByLabel('Password').fill('correct horse battery')
    await press('Add account', dialog)
    await closed()
    for (const email of emails) await page.getByRole('cell', { name: email, exact: true }).waitFor()

    part = 'grant'
    await click(page.getByRole('cell', { name: 'ann@example.com', exact: true }))
    await page.getByRole('heading', { level: 2, name: 'Grants' }).waitFor()
    await press('Add grant')
    await dialog.getByLabel('Group or permission').fill('builder')
    await press('Add grant', dialog)
    await closed()

    part = 'ban'
    await press('Ban, mute or warn')
    await dialog.getByLabel('Type').selectOption('Ban')
    await dialog.getByLabel('Reason').fill('Griefing.')
    await press('Ban', dialog)
    await closed()

    part = 'undo'
    await press('Undo', toast)
    await toast.getByText('Undone.').waitFor()

    // A zone needs land, which a new server has around its first player.
    await stage.enter(server.url, await stage.signIn(server.url, 'ben@example.com', 'correct horse battery'))
    part = 'zone'
    await open('Map')
    await press('Draw zone')
    for (const [label, value] of Object.entries({ 'From x': 0, 'From z': 0, 'To x': 1, 'To z': 1 }))
      await page.getByLabel(label, { exact: true }).fill(String(value))
    await page.getByLabel('To z', { exact: true }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Market')
    await press('Save zone')
    await page.getByText('Market saved.').waitFor()

    part = 'snapshot'
    await click(page.getByRole('link', { name: 'Rules, members, hours' }))
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Before')
    await name.press('Enter')
    await page.getByRole('cell', { name: 'Before' }).waitFor()

    part = 'config'
    const file = join(dataDir, 'config', 'server.yaml')
    const before = await readFile(file, 'utf8')
    await open('Settings')
    const field = page.getByRole('textbox', { name: 'View distance' })
    await field.fill('800')
    await page.getByRole('status').filter({ hasText: 'error' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await field.fill('6')
    await press('Save')
    await press('Save', dialog)
    await closed()
    expect(await readFile(file, 'utf8')).not.toBe(before)

    part = 'rollback'
    await press('Undo', toast)
    await waitFor(async () => (await readFile(file, 'utf8')) === before, 60_000)

    part = 'backup'
    await open('Backups')
    await click(page.getByRole('button', { name: 'Create backup' }))
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .waitFor()

    expect(await page.evaluate('window.isSamePage')).toBe('yes')
    for (const [name, count] of Object.entries(most))
      expect([name, (clicks[name as keyof typeof most] ?? 0) <= count]).toEqual([name, true])
    expect(Object.values(clicks).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostInAll)
  }, 180_000)
})
