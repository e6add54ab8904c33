import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ask, signIn } from '../e2e/support/api.ts'
import { administrator, createStage, type Server } from '../e2e/support/stage.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { openAddress } from '../support/pages/console-page.ts'
import { findViolations } from '../support/pages/find-violations.ts'
import { signOut } from '../support/pages/sign-out.ts'
import { findFreePort } from '../support/processes/free-port.ts'
import { waitFor } from '../support/time/wait-for.ts'

const claimLink = /\/claim#(\S+)/
/** Messages of Chromium about requests and feeds while the server is away, or after it lost a token. */
const unreachable = /Failed to load resource|net::ERR|^WebSocket connection/
const hostileName = '<img src=x onerror=alert(1)>'

describeBrowser('the console', () => {
  const stage = createStage()
  let browser: Chromium
  /** Another browser without a sign-in. */
  let visitor: Chromium
  let server: Server
  let page: Page
  let dataDir: string
  let port: string
  const faults: string[] = []

  const start = () => stage.start({ DATA_DIR: dataDir, PORT: port })
  /** A page whose faults and policy violations fail the suite. Network faults do not count. */
  const openPage = async ({ context } = browser): Promise<Page> => {
    const opened = await context.newPage()
    opened.on('pageerror', (error) => faults.push(String(error.stack)))
    opened.on('console', (message) => {
      if (message.type() === 'error' && !unreachable.test(message.text())) faults.push(message.text())
    })
    return opened
  }
  const show = (name: string, heading: string) => openAddress(page, `${server.url}/console#/${name}`, heading)
  const token = async (): Promise<string> => String(await page.evaluate("sessionStorage.getItem('gatehouse.token')"))

  beforeAll(async () => {
    browser = await openChromium()
    visitor = await openChromium()
    dataDir = await stage.createDataDir()
    port = String(await findFreePort())
    server = await start()
    page = await openPage()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await visitor?.close()
    await stage.close()
  })

  it('accepts the claim of a new server, forgets it, and shows the next steps', async () => {
    await server.shows(claimLink)
    const claim = claimLink.exec(server.stdout())?.[1]
    for (const path of ['console', 'claim']) {
      await page.goto(`${server.url}/${path}`)
      await page.getByText('in the terminal where the server was started').waitFor()
    }
    await page.goto('about:blank')
    await page.goto(`${server.url}/claim#not-the-claim`)
    const fill = async () => {
      // The first field has the focus.
      await page.getByLabel('Email').and(page.locator(':focus')).waitFor()
      await page.keyboard.type(administrator.email)
      await page.getByLabel('Password').fill(administrator.password)
    }
    await fill()
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Claim server' }).click()
    const fault = page.locator('.field', { has: page.getByLabel('Password') }).getByRole('alert')
    await fault.getByText('Password: use at least 8 characters.').waitFor()
    await page.getByLabel('Password').and(page.locator('[aria-invalid=true]:focus')).waitFor()
    expect(await page.getByLabel('Password').getAttribute('aria-describedby')).toBe(await fault.getAttribute('id'))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByLabel('Password').and(page.locator('[type=text]')).waitFor()
    await page.getByLabel('Password').fill(administrator.password)
    await page.getByRole('button', { name: 'Claim server' }).click()
    await page.getByRole('alert').getByText('wrong, used or expired').waitFor()
    await page.goto('about:blank')
    await page.goto(`${server.url}/claim#${claim}`)
    await fill()
    await page.getByRole('radio', { name: 'Anyone' }).check()
    await page.getByRole('button', { name: 'Claim server' }).click()
    await page.getByRole('heading', { level: 1, name: 'This server is yours' }).waitFor()
    // The focus is on the heading for screen readers, without a ring that looks like an error.
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor()
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none')
    expect(page.url()).not.toContain(String(claim))
    await page.getByText(`signs in with ${administrator.email}`).waitFor()
    await page.getByText('Right now anyone can join').waitFor()
    expect(await page.locator('pre').allTextContents()).toEqual([
      'auth:\n  local:\n    requirePassword: true',
      `npm run play -- --email ${administrator.email} --password - --url ${server.url}`,
    ])
    const late = await openPage(visitor)
    await late.goto(`${server.url}/claim#${claim}`)
    await late.getByText('This claim link was used').waitFor()
    await late.close()
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.locator('.strip').getByText('Running', { exact: true }).waitFor()
  }, 180_000)

  it('adds an account, gives it a group, and shows both in the audit log, by keyboard alone', async () => {
    await show('people', 'Accounts')
    await page.getByRole('button', { name: 'Add account' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    // The dialog opens with the focus in its first field.
    await dialog.getByLabel('Email').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('ann@example.com')
    await dialog.getByLabel('Password').fill('short')
    await page.keyboard.press('Enter')
    // First the check of the browser; then the message of the server.
    await dialog.getByLabel('Password').fill('correct horse battery')
    await dialog.getByLabel('Display name').fill(hostileName)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: hostileName }).waitFor()
    await page.getByRole('button', { name: 'Change groups' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('builder').focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Save', exact: true }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.facts').getByText('builder').waitFor()
    const { body } = await ask(server.url, 'GET /api/admin/users/ann@example.com', { token: await token() })
    expect(body).toMatchObject({ groups: expect.arrayContaining(['builder']), displayName: hostileName })
    await show('audit', 'Audit log')
    await page.getByRole('button', { name: 'account.update' }).first().click()
    await dialog.getByRole('rowheader', { name: 'groups' }).waitFor()
    await page.keyboard.press('Escape')
  }, 180_000)

  it('opens pages and accounts from the search and by keys, and changes the theme', async () => {
    await show('home', 'Overview')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search' })
    const field = search.getByRole('combobox')
    await field.and(page.locator(':focus')).waitFor()
    for (const [text, option] of [
      ['requirep', 'auth.local.requirePassword'],
      ['back', 'Backups'],
      ['ann@', hostileName],
    ] as const) {
      await field.fill(text)
      await search.getByRole('option', { name: option, exact: false }).first().waitFor()
    }
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: hostileName }).waitFor()
    await search.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Go to a page').waitFor()
    await help.getByLabel('Use single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const account = page.getByRole('button', { name: `Account ${administrator.email}` })
    await account.click()
    const dark = page.getByRole('menuitemradio', { name: 'Dark' })
    const isDark = () => page.evaluate<boolean>('getComputedStyle(document.body).backgroundColor === "rgb(21, 23, 26)"')
    await dark.click()
    await waitFor(isDark)
    await dark.and(page.locator('[aria-checked=true]')).waitFor()
    await page.keyboard.press('Escape')
    await account.and(page.locator(':focus')).waitFor()
    await page.reload()
    await waitFor(isDark)
    await account.click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    // With the switch off, "?" opened nothing. The menu opens the help too.
    expect(await help.count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await help.getByLabel('Use single-key shortcuts').check()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
  }, 180_000)

  it('changes a group in its file, shows the effect first, and keeps the comments', async () => {
    const file = join(dataDir, 'config', 'groups.yaml')
    const before = await readFile(file, 'utf8')
    await show('groups', 'Groups')
    await page.getByRole('button', { name: 'Edit builder' }).click()
    const permission = page.getByRole('dialog').getByRole('combobox', { name: 'Permission' }).last()
    await page.getByRole('button', { name: 'Add permission' }).click()
    // The new line has the focus, and describes a permission that is known.
    await page.keyboard.type('command.say')
    await page.getByRole('dialog').locator('small').getByText('/say: Sends a chat line to all players.').waitFor()
    await page.getByRole('button', { name: 'Review change' }).click()
    await page.getByRole('dialog').getByText('builder').first().waitFor()
    await page.getByRole('dialog').getByText('command.say').first().waitFor()
    expect(await readFile(file, 'utf8')).toBe(before)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    expect(await permission.inputValue()).toBe('command.say')
    await page.getByRole('button', { name: 'Review change' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved and applied.').last().waitFor()
    const after = await readFile(file, 'utf8')
    for (const comment of before.match(/#.*$/gm) ?? []) expect(after).toContain(comment)
    const { body } = await ask(server.url, 'GET /api/admin/groups', { token: await token() })
    expect(JSON.stringify(body)).toContain('command.say')
    // In the matrix, a click changes one rule. It is reviewed too.
    const cell = page.getByRole('button', { name: /^command\.announce for builder:/ })
    await cell.and(page.getByRole('button', { name: 'not granted' })).click()
    await cell.and(page.getByRole('button', { name: ': granted' })).waitFor()
    await page.getByText('Unsaved changes: builder.').waitFor()
    // The matrix is one tab stop, and arrow keys move between its cells.
    const grid = page.getByRole('grid', { name: 'Permissions of each group' })
    await cell.focus()
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
    const focused = 'document.activeElement.getAttribute("aria-label")'
    for (const key of ['ArrowDown', 'ArrowUp', 'End', 'Home']) await page.keyboard.press(key)
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
    await cell.focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(focused)).toMatch(/^command\.(?!announce ).* for builder:/)
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate(focused)).toMatch(/^command\.announce for builder: granted/)
    await page.getByRole('button', { name: 'Review change' }).click()
    await page.getByRole('dialog').getByText('command.announce').first().waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await cell.and(page.getByRole('button', { name: 'not granted' })).waitFor()
  }, 180_000)

  it('undoes the change of a group from the audit log, after a preview', async () => {
    await show('audit', 'Audit log')
    await page.getByRole('button', { name: 'config.save' }).first().click()
    let isHeld = true
    await page.route(/dryRun=true/, async (route) => {
      await waitFor(() => !isHeld, undefined, 200)
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo config.save?' })
    await dialog.getByText('Loading…').waitFor()
    expect(await dialog.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
    isHeld = false
    await dialog.getByText('This restores:').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').last().waitFor()
    const groups = await readFile(join(dataDir, 'config', 'groups.yaml'), 'utf8')
    expect(groups.split('name: moderator')[0]).not.toContain('command.say')
  }, 180_000)

  it('shows a group that is saved and not yet active, and adds no other over it', async () => {
    const file = join(dataDir, 'config', 'groups.yaml')
    const before = await readFile(file, 'utf8')
    const guide = '  - name: guide\n    description: Shows people round.\n    permissions: [command.say]\n'
    await writeFile(file, before.replace(/^groups:\n/m, `$&${guide}`))
    await show('groups', 'Groups')
    await page.reload()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add group' }).click()
    await dialog.getByLabel('Name').fill('guide')
    await page.getByRole('button', { name: 'Review change' }).click()
    await dialog.getByText('The group guide already exists.').waitFor()
    // A correction removes the error.
    await dialog.getByLabel('Name').fill('guides')
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    const card = page.getByRole('columnheader', { name: 'guide' })
    await card.getByText('after a reload').waitFor()
    await card.getByRole('button', { name: 'Edit guide' }).click()
    expect(await dialog.getByRole('combobox', { name: 'Permission' }).inputValue()).toBe('command.say')
    await page.keyboard.press('Escape')
    await writeFile(file, before)
  }, 180_000)

  it('adds a grant, mutes a user and ends both', async () => {
    await show('people/ann%40example.com', hostileName)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add grant' }).click()
    await dialog.getByLabel('Group or permission').fill('zone.build')
    await dialog.getByLabel('Duration').selectOption('1 day')
    await dialog.getByRole('button', { name: 'Add grant' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'zone.build' }).waitFor()
    await page.getByRole('link', { name: 'Moderation' }).last().click()
    await page.getByRole('button', { name: 'Ban, mute or warn' }).click()
    await dialog.getByLabel('Reason').fill(`shouting ${hostileName}`)
    await dialog.getByRole('button', { name: 'Mute' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await ask(server.url, 'GET /api/admin/users/ann@example.com', { token: await token() })
    expect(body.grants).toMatchObject([{ permission: 'zone.build', by: administrator.email }])
    await show('moderation/sanctions', 'Moderation')
    await page.getByText('1 sanction', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Warning', exact: true }).click()
    await page.getByRole('cell', { name: `shouting ${hostileName}` }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    await page.getByRole('cell', { name: `shouting ${hostileName}` }).waitFor()
    await page.getByRole('button', { name: 'Lift' }).click()
    await dialog.getByRole('button', { name: 'Lift' }).click()
    await page.getByText('No sanction has this type.').waitFor()
    await show('people/ann%40example.com', hostileName)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    // A message under the pointer stays.
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).hover()
    await page.getByText('No grants.').waitFor()
    // The message has the undo, and the page shows its effect.
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'zone.build' }).waitFor()
    await page.locator('.toast').getByText('Undone.').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No grants.').waitFor()
  }, 180_000)

  it('bans a player by display name and an address on Moderation', async () => {
    await show('moderation/sanctions', 'Moderation')
    const dialog = page.getByRole('dialog')
    for (const whom of [hostileName, '192.0.2.7']) {
      await page.getByRole('button', { name: 'Ban, mute or warn' }).click()
      await dialog.getByLabel('Player or address').fill(whom)
      await dialog.getByLabel('Type').selectOption('Warning')
      await dialog.getByLabel('Duration').waitFor({ state: 'detached' })
      await dialog.getByLabel('Type').selectOption('Ban')
      await dialog.getByLabel('Reason').fill(`griefing by ${whom}`)
      await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    for (const whom of [hostileName, '192.0.2.7']) {
      await page.getByRole('row').filter({ hasText: whom }).getByRole('button', { name: 'Lift' }).click()
      await dialog.getByRole('button', { name: 'Lift' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByText('No one is banned, muted or warned.').waitFor()
  }, 180_000)

  it('shows a ban on the account and in the list of accounts, until it is ended', async () => {
    await show('people/ann%40example.com?tab=moderation', hostileName)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Ban, mute or warn' }).click()
    await dialog.getByLabel('Type').selectOption('Ban')
    await dialog.getByLabel('Duration').selectOption('forever')
    await dialog.getByLabel('Reason').fill('griefing')
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    const badge = page.locator('.badge.bad', { hasText: 'Banned' })
    await page.locator('.page-head').locator(badge).waitFor()
    // The history of the account has the ban without a reload.
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'sanction.create' }).last().waitFor()
    await show('people', 'Accounts')
    await page.getByRole('row').filter({ hasText: 'ann@example.com' }).locator(badge).waitFor()
    expect(await badge.count()).toBe(1)
    await page.getByRole('button', { name: 'Banned', exact: true }).click()
    await page.getByText('1 account', { exact: true }).waitFor()
    await show('people/ann%40example.com?tab=moderation', hostileName)
    await page.getByRole('button', { name: 'Lift' }).click()
    await dialog.getByRole('button', { name: 'Lift' }).click()
    await badge.waitFor({ state: 'detached' })
  }, 180_000)

  it('acts on several accounts, sorts them, and saves them as CSV', async () => {
    for (const name of ['zoe', 'yan'])
      await ask(server.url, 'POST /api/admin/users', {
        token: await token(),
        body: { email: `${name}@example.com`, password: `a password of ${name}`, displayName: name === 'zoe' ? '=zoe' : name },
      })
    await show('people', 'Accounts')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Name', exact: true }).and(page.locator('[aria-sort=ascending]')).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(file.split('\r\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\ufeffName,Email,/),
        expect.stringMatching(/^'=zoe,zoe@example.com,player,,20/),
      ]),
    )
    for (const name of ['zoe', 'yan']) await page.getByLabel(`Select ${name}@example.com`).check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 accounts?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /zoe@/ }).waitFor({ state: 'detached' })
    // A click anywhere on a row opens its page.
    await page
      .getByRole('row', { name: /ann@example.com/ })
      .getByText('ann@example.com')
      .click()
    await page.getByRole('heading', { level: 1, name: hostileName }).waitFor()
  }, 180_000)

  it('keeps the search and the filters in the address, and renders no row for a typed letter', async () => {
    await show('people', 'Accounts')
    const search = page.getByLabel('Search by name or email')
    await page.getByRole('row', { name: /ann@/ }).waitFor()
    // Each time in a row needs its text in UTC. Requests need one of a midnight.
    await page.evaluate(`(() => {
      const { toISOString } = Date.prototype
      window.texts = 0
      Date.prototype.toISOString = function () { window.texts += Number(this % 86_400_000 > 0); return toISOString.call(this) }
    })()`)
    // Answers wait until all is typed: they render rows too.
    let answer = (): void => undefined
    const isTyped = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/admin/users?*', async (route) => {
      await isTyped
      // A request that a later one replaced is aborted.
      await route.continue().catch(() => undefined)
    })
    const texts: number[] = []
    for (const typed of ['a', 'an', 'ann']) {
      const before = Number(await page.evaluate('window.texts'))
      await search.press(typed.slice(-1))
      await page.waitForURL(new RegExp(`q=${typed}$`))
      texts.push(Number(await page.evaluate('window.texts')) - before)
    }
    // Once a minute all rows render again, because their times are relative.
    expect(Math.min(...texts)).toBe(0)
    answer()
    await page.unroute('**/api/admin/users?*')
    await page.getByRole('button', { name: 'No password' }).click()
    await page.waitForURL(/q=ann&only=open$/)
    await page.getByRole('button', { name: 'No password' }).click()
    await page.waitForURL(/q=ann$/)
    await search.fill('no such account')
    await page.getByRole('button', { name: 'Show all accounts' }).click()
    await page.getByRole('row', { name: /ann@/ }).waitFor()
    expect(await search.inputValue()).toBe('')
    await page.waitForURL(/#\/people$/)
  }, 120_000)

  it('mutes a user from the card of their name, wherever it is', async () => {
    await show('audit', 'Audit log')
    await page.getByRole('button', { name: administrator.email, exact: true }).first().click()
    const menu = page.getByRole('menu', { name: `Actions for ${administrator.email}` })
    await menu.getByText('offline').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const body = { kind: 'ban', email: 'ann@example.com', reason: 'a card' }
    const made = await ask(server.url, 'POST /api/admin/sanctions', { token: await token(), body })
    await show('moderation/sanctions', 'Moderation')
    await page.getByRole('button', { name: hostileName, exact: true }).first().click()
    await page.getByRole('menu').getByText('Banned').waitFor()
    await page.getByRole('menuitem', { name: 'Mute' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('from a card')
    await dialog.getByRole('button', { name: 'Mute' }).click()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.locator('.toast').getByText('Undone.').waitFor()
    await ask(server.url, `DELETE /api/admin/sanctions/${made.body.id}`, { token: await token() })
  }, 180_000)

  it('names the later change and its author when an undo is refused because of it', async () => {
    const admin = await token()
    const rename = (displayName: string) =>
      ask(server.url, 'PUT /api/admin/users/ann@example.com', { token: admin, body: { displayName } })
    await rename('Ann the First')
    await rename(hostileName)
    await show('audit?target=ann%40example.com', 'Audit log')
    await page.locator('.data').getByRole('button', { name: 'account.update' }).nth(1).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    const refusal = page.getByRole('dialog', { name: 'Undo account.update?' }).getByRole('alert')
    await refusal.getByText('Can’t undo: this was changed afterwards.').waitFor()
    expect(await refusal.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^Changed afterwards by ${administrator.email} at .*\\d.*: displayName$`)),
    ])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }, 180_000)

  it('reports on the overview that a part could not be loaded, and calls nothing good', async () => {
    await page.route('**/api/admin/reports?*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        json: { type: '/problems/internal', title: 'Internal error', status: 500, detail: 'The reports are away.' },
      }),
    )
    await show('home', 'Overview')
    const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Needs attention' }) })
    await card.getByRole('alert').getByText('The reports are away.').waitFor()
    expect(await page.getByText('Nothing needs your attention.').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Set up your server' }).count()).toBe(0)
    await page.unroute('**/api/admin/reports?*')
    await card.getByRole('button', { name: 'Try again' }).click()
    await card.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Set up your server' }).waitFor()
  }, 180_000)

  it('zooms a chart into the part that the pointer is dragged over, until that is undone', async () => {
    await show('home', 'Overview')
    const chart = page.locator('.u-over').first()
    const whole = page.getByRole('button', { name: 'Show the whole period' })
    const drag = async () => {
      // Moves the pointer onto the chart once it no longer changes its place.
      await chart.hover()
      const box = await chart.boundingBox()
      if (box === null) throw new Error('the chart is not on the page')
      await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + 50, { steps: 4 })
      await page.mouse.up()
      await whole.waitFor()
    }
    await drag()
    await whole.click()
    await whole.waitFor({ state: 'detached' })
    await drag()
    await chart.dblclick()
    await whole.waitFor({ state: 'detached' })
  }, 180_000)

  it('lists players in the game, sends them a message and kicks them', async () => {
    const client = await stage.join(server.url, await stage.signIn(server.url, 'guest@example.com'))
    await show('players', 'Online')
    await page.getByRole('button', { name: 'guest', exact: true }).waitFor()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More for guest' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Message…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text').fill('Dinner is ready.')
    await dialog.getByRole('button', { name: 'Message' }).click()
    expect(JSON.stringify(await client.next('notice'))).toContain('Dinner is ready.')
    await choose('Kick…')
    await dialog.getByRole('button', { name: 'Kick' }).click()
    expect(await client.closed()).toMatchObject({ code: 4003 })
    await page.getByText('No players are online.').waitFor()
  }, 180_000)

  it('deletes an account and undoes that in place', async () => {
    const body = { email: 'eve@example.com', password: 'a password of eve', displayName: 'Eve' }
    await ask(server.url, 'POST /api/admin/users', { token: await token(), body })
    await show('people/eve%40example.com', 'Eve')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Actions for eve@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Show deleted account' }).click()
    await page.getByText(`${administrator.email} deleted this account.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await dialog.getByText('This restores:').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Eve' }).waitFor()
  }, 180_000)

  it('adds a grant that the game applies, explains the earlier refusal, and undoes the grant', async () => {
    const bea = await stage.enter(server.url, await stage.signIn(server.url, 'bea@example.com'))
    const { x = 0, z = 0 } = bea.session.position()
    const [cx, cz] = [Math.floor(x / 16), Math.floor(z / 16)]
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dz) => ({ cx: cx + dx, cz: cz + dz })))
    const zone = { name: hostileName, yMin: 0, yMax: 120, chunks: around }
    const admin = await token()
    await waitFor(async () => (await ask(server.url, 'POST /api/admin/instances', { token: admin, body: zone })).status === 201)
    let turn = 0
    const edit = () => {
      turn += 1
      const type = turn % 2 === 0 ? 'stone' : 'air'
      return bea.session.edit([{ x: Math.floor(x) + 1, y: 63, z: Math.floor(z), type }])
    }
    await waitFor(
      async () => {
        const { ok, reason = '' } = await edit()
        return !ok && reason.includes(hostileName)
      },
      undefined,
      200,
    )
    await bea.session.command(`/report ${hostileName} stands in my way`)
    await show('people/bea%40example.com', 'bea')
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Permission or command').fill('zone.build')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Denied:').waitFor()
    await page.getByRole('button', { name: 'Add grant' }).click()
    await dialog.getByLabel('Group or permission').fill('zone.build')
    await dialog.getByLabel('Zone (optional)').fill('no zone of this name')
    await dialog.getByRole('button', { name: 'Add grant' }).click()
    await dialog.getByRole('alert').getByText('No zone is named').waitFor()
    await dialog.getByLabel('Zone (optional)').fill(hostileName)
    await dialog.getByLabel('Reason').fill(hostileName)
    await dialog.getByRole('button', { name: 'Add grant' }).click()
    await dialog.waitFor({ state: 'detached' })
    await waitFor(async () => (await edit()).ok, undefined, 200)
    // By keyboard: the page reloads in the meantime, so a click target would move. Again until a node reports where bea is.
    await waitFor(
      async () => {
        const answer = page.waitForResponse(/\/explain\?/)
        await page.getByRole('button', { name: 'Check', exact: true }).press('Enter')
        await answer
        return page.getByText('Allowed:').isVisible()
      },
      undefined,
      500,
    )
    await show('audit?target=bea%40example.com', 'Audit log')
    await page.locator('.data').getByRole('link', { name: /^bea/ }).first().waitFor()
    const updates = page.locator('.data').getByRole('button', { name: 'account.update' })
    const before = await updates.count()
    await updates.first().click()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    const undo = page.getByRole('dialog', { name: 'Undo account.update?' })
    await undo.getByText('This restores:').waitFor()
    await undo.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').last().waitFor()
    await waitFor(async () => (await edit()).reason?.includes(hostileName) === true, undefined, 200)
    // The list has the new entry, so a click target no longer moves.
    await waitFor(async () => (await updates.count()) === before + 1)
    await page.locator('.data').getByRole('link', { name: /^bea/ }).first().click()
    await page.getByRole('heading', { level: 1, name: 'bea' }).waitFor()
    await page.getByText('No grants.').waitFor()
    await bea.session.close()
  }, 180_000)

  /** A second administrator in another browser, because tabs of one browser share a sign-in. */
  const openAda = async (): Promise<Page> => {
    const ada = { email: 'ada@example.com', password: 'the password of ada' }
    const body = { ...ada, displayName: 'Ada', groups: ['player', 'admin'] }
    await ask(server.url, 'POST /api/admin/users', { token: await token(), body })
    const opened = await openPage(visitor)
    await opened.goto(`${server.url}/console`)
    await opened.getByLabel('Email').fill(ada.email)
    await opened.getByLabel('Password').fill(ada.password)
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await opened.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return opened
  }

  it('supports two administrators at once: no overwritten changes, no lost input', async () => {
    const ada = await openAda()
    const [mine, theirs] = [page.getByRole('dialog'), ada.getByRole('dialog')]
    const both = [page, ada]
    // For an account.
    for (const one of both) {
      await one.bringToFront()
      await one.goto(`${server.url}/console#/people/eve%40example.com`)
      await one.getByRole('button', { name: 'Actions for eve@example.com' }).click()
      await one.getByRole('menuitem', { name: 'Rename' }).click()
    }
    await mine.getByLabel('Display name').fill('Eve the First')
    await theirs.getByLabel('Display name').fill('Eve the Second')
    await theirs.getByRole('button', { name: 'Save', exact: true }).click()
    await theirs.waitFor({ state: 'detached' })
    await page.bringToFront()
    await mine.getByRole('button', { name: 'Save', exact: true }).click()
    await mine.getByRole('alert').waitFor()
    expect(await mine.getByLabel('Display name').inputValue()).toBe('Eve the First')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Eve the Second' }).waitFor()
    // For a group.
    for (const one of both) {
      await one.bringToFront()
      await one.goto(`${server.url}/console#/groups`)
      await one.getByRole('button', { name: 'Edit builder' }).click()
      const description = one.getByRole('dialog').getByLabel('Description')
      await description.fill(one === ada ? 'As Ada says.' : 'As the boss says.')
    }
    await ada.getByRole('button', { name: 'Review change' }).click()
    await theirs.getByText('No account gains or loses permissions.').waitFor()
    await ada.getByRole('button', { name: 'Save', exact: true }).click()
    await ada.getByText('Saved and applied.').last().waitFor()
    await page.bringToFront()
    await mine.getByLabel('Remove this group').check()
    await page.getByRole('button', { name: 'Review change' }).click()
    await mine.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    expect(await mine.getByLabel('Description').inputValue()).toBe('As the boss says.')
    expect(await mine.getByLabel('Remove this group').isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await readFile(join(dataDir, 'config', 'groups.yaml'), 'utf8')).toContain('As Ada says.')
    await signOut(ada)
    await ada.getByText('You are signed out.').waitFor()
    await ada.close()
  }, 180_000)

  it.each([
    ['home', 'Overview'],
    ['people', 'Accounts'],
    ['people/ann%40example.com', hostileName],
    ['people/ann%40example.com?tab=sessions', hostileName],
    ['groups', 'Groups'],
    ['players', 'Online'],
    ['moderation', 'Moderation'],
    ['moderation/sanctions', 'Moderation'],
    ['worlds', 'Worlds'],
    ['audit', 'Audit log'],
  ])(
    'shows %s accessibly: axe finds nothing, and 320 pixels are enough',
    async (name, heading) => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 320],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        await show(name, heading)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        // Markup in names, reasons and reports is shown as text.
        expect(await page.locator('img[src="x"]').count()).toBe(0)
        expect(await findViolations(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    },
    180_000,
  )

  it('reports on each page that the server is away, and continues when it is back', async () => {
    await show('people', 'Accounts')
    const names = [
      'home',
      'groups',
      'players',
      'moderation',
      'console',
      'configs',
      'map',
      'worlds',
      'jobs',
      'backups',
      'audit',
      'people/ann%40example.com',
    ]
    const admin = await token()
    const [zone] = JSON.parse((await ask(server.url, 'GET /api/admin/instances', { token: admin })).text)
    names.splice(1, 0, `map/${zone.id}/blocks`)
    const others: Page[] = []
    for (const name of names) {
      const other = await openPage()
      await other.addInitScript(`sessionStorage.setItem('gatehouse.token', ${JSON.stringify(admin)})`)
      await other.goto(`${server.url}/console#/${name}`)
      await other.getByRole('heading', { level: 1 }).waitFor()
      others.push(other)
    }
    const isAway = (one: Page) => one.locator('[role=alert]').getByText('The server does not answer').waitFor()
    // The last page has unsaved input.
    const busy = others.at(-1) ?? page
    await busy.getByRole('button', { name: 'Change groups' }).click()
    await busy.getByLabel('moderator').check()
    server.signal('SIGKILL')
    await server.ended
    await page.getByLabel('Search by name or email').fill('ann')
    for (const one of [page, ...others]) {
      await one.bringToFront()
      await isAway(one)
    }
    // The overview contradicts nothing of that.
    const overview = others[0] ?? page
    const strip = overview.getByLabel('Status', { exact: true })
    const factOf = (name: string) => strip.locator('div', { hasText: name }).locator('dd')
    await strip.getByText(/^Not answering since \d/).waitFor()
    for (const name of ['Players', 'Running worlds', 'Tick time (p99)', 'Warnings'])
      expect([name, await factOf(name).textContent()]).toEqual([name, '–'])
    await overview.getByText('Unknown while the server does not answer.').waitFor()
    expect(await overview.getByRole('alert').count()).toBe(1)
    server = await start()
    const boss = await signIn(server.url, administrator.email, administrator.password)
    const meanwhile = { groups: ['player'] }
    await ask(server.url, 'PUT /api/admin/users/ann@example.com', { token: boss, body: meanwhile })
    for (const one of [page, ...others]) {
      await one.bringToFront()
      await one.getByText('The server does not answer').first().waitFor({ state: 'detached' })
    }
    for (const one of others) {
      await one.bringToFront()
      await one.getByText('Loading…').first().waitFor({ state: 'detached' })
      await one.locator('[role=alert]').first().waitFor({ state: 'detached' })
      if (one.url().endsWith('/blocks')) await one.getByText(/^9 of 9 chunks,/).waitFor()
      if (one === overview) {
        await strip.getByText('Running', { exact: true }).waitFor()
        await factOf('Players')
          .getByText(/^\d+ of \d+$/)
          .waitFor()
        await overview.getByText('Unknown while').waitFor({ state: 'detached' })
      }
      if (one !== busy) await one.close()
    }
    expect(await page.getByLabel('Search by name or email').inputValue()).toBe('ann')
    await page.getByRole('link', { name: hostileName }).waitFor()
    // A form without the current values does not overwrite changes that others made during the outage.
    await busy.bringToFront()
    expect(await busy.getByLabel('moderator').isChecked()).toBe(true)
    await busy.getByRole('button', { name: 'Save', exact: true }).click()
    await busy.getByRole('dialog').getByRole('alert').waitFor()
    const { body } = await ask(server.url, 'GET /api/admin/users/ann@example.com', { token: boss })
    expect(body.groups).toEqual(['player'])
    await busy.close()
  }, 400_000)

  it('offers no actions to a user without permissions, and says why', async () => {
    const other = await openPage(visitor)
    await other.goto(`${server.url}/console#/people`)
    await other.getByLabel('Email').fill('ann@example.com')
    await other.getByLabel('Password').fill('correct horse battery')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('Your account has no access to the console.').waitFor()
    await other.getByText('This needs the permission admin.users.read, which you do not have.').waitFor()
    expect(await other.getByRole('link', { name: 'Accounts' }).count()).toBe(0)
    // Grants that others add or end appear without a reload.
    const order = async (body: Record<string, unknown>) =>
      ask(server.url, 'PUT /api/admin/users/ann@example.com', { token: await token(), body })
    await order({ groups: ['player', 'admin'] })
    await other.getByRole('link', { name: 'Accounts' }).waitFor({ timeout: 60_000 })
    await order({ password: 'another password of ann' })
    const dialog = other.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password').fill('another password of ann', { timeout: 60_000 })
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await signOut(other)
    await other.getByText('You are signed out.').waitFor()
    expect(await other.evaluate("sessionStorage.getItem('gatehouse.token')")).toBeNull()
    await show('people/ann%40example.com?tab=sessions', hostileName)
    await page.getByText('by password').first().waitFor()
    // A player without a password sees the missing actions.
    const guest = { groups: ['player', 'admin'] }
    const answer = await ask(server.url, 'PUT /api/admin/users/guest@example.com', { token: await token(), body: guest })
    expect(answer.status).toBe(200)
    await other.getByLabel('Email').fill('guest@example.com')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('You’re signed in without a password').waitFor()
    await other.getByText('Your groups have it, but it counts only after a sign-in').waitFor()
    expect(await other.getByRole('link', { name: 'Accounts' }).count()).toBe(0)
    await other.close()
  }, 180_000)

  it('violates no content policy, and throws no error', () => {
    expect(faults).toEqual([])
  })
})
