import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { readWorldFile } from '../../shared/domain/world-moves/files/import/read-world-file.ts'
import { ask } from '../e2e/support/api.ts'
import { administrator, createStage, quickConfig, type Server } from '../e2e/support/stage.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/pages/console-page.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
const invites = quickConfig.replace('bcryptCost: 10', 'bcryptCost: 10, registration: invite')
const hostileName = '<img src=x onerror=alert(1)>'

describeBrowser('jobs, backups, why, links, chat and commands in the console', () => {
  const stage = createStage()
  let browser: Chromium
  let server: Server
  let token: string
  let tab: ConsolePage
  let page: Page

  beforeAll(async () => {
    browser = await openChromium()
    server = await stage.start({ DATA_DIR: await stage.createDataDir(invites) })
    token = await stage.claim(server)
    tab = await openConsolePage({ browser, url: server.url, token })
    page = tab.page
  }, slow)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
  }, slow)

  /** Chooses an item of the menu of a world, a module or a player. */
  const choose = async (menu: string, item: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  it(
    'starts a generation of land, and shows the finished job',
    async () => {
      await tab.show('worlds', 'Worlds')
      await choose('Actions for default', 'Generate land…')
      await page.getByRole('dialog').getByLabel('Radius in chunks').fill('2')
      await page.getByRole('dialog').getByRole('button', { name: 'Generate land' }).click()
      await page.getByText('Land generation started.').waitFor()
      await tab.show('jobs', 'Jobs')
      await page.getByRole('row', { name: /Generate land.*done/ }).waitFor({ timeout: slow })
      const world = page.getByRole('link', { name: 'World default', exact: true })
      expect(await world.getAttribute('href')).toBe('#/map?world=default')
      const rows = page.locator('tr[data-row]')
      await page.getByText('1 job', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'failed 0' }).click()
      await page.getByText('No job has this state.').waitFor()
      await page.getByRole('button', { name: 'done 1' }).click()
      await rows.first().waitFor()
      await page.waitForURL(/#\/jobs\?state=failed\+done$/)
      await page.getByRole('button', { name: 'State', exact: true }).click()
      await page.locator('th[aria-sort=ascending]', { hasText: 'State' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ])
      expect(await readFile(await download.path(), 'utf8')).toMatch(
        /^\ufeffJob,State,Details.*\r\nGenerate land · World default,done,/,
      )
    },
    slow,
  )

  it(
    'links a job to its zone, and says when the zone was deleted',
    async () => {
      const zones = ['Market', 'Harbour'].map((name, at) => ({
        name,
        yMin: 20 * at,
        yMax: 20 * at + 9,
        chunks: [{ cx: 0, cz: 0 }],
      }))
      const ids = []
      for (const body of zones) {
        const { id } = (await ask(server.url, 'POST /api/admin/instances', { token, body })).body
        await ask(server.url, `POST /api/admin/instances/${id}/snapshots`, { token, body: { name: 'Before' } })
        ids.push(id)
      }
      await tab.show('jobs', 'Jobs')
      const link = page.getByRole('link', { name: 'Zone Market', exact: true })
      expect(await link.getAttribute('href')).toBe(`#/map/${ids[0]}`)
      await page.getByRole('link', { name: 'Zone Harbour', exact: true }).waitFor()
      // The open page shows the deletion.
      await ask(server.url, `DELETE /api/admin/instances/${ids[1]}`, { token })
      await page.getByText('Zone (deleted)', { exact: true }).waitFor()
    },
    slow,
  )

  it(
    'opens the page or the dialog of a command from the search, without entering the game',
    async () => {
      await tab.show('jobs', 'Jobs')
      const dialog = page.getByRole('dialog')
      const search = async (text: string, option: RegExp) => {
        await page.keyboard.press('Control+k')
        await dialog.getByRole('combobox').fill(text)
        await dialog.getByRole('option', { name: option }).first().click()
      }
      await search('/ban 10.1.2.3', /^\/ban Ban a player/)
      await page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor()
      expect(await dialog.getByLabel('Player or address').inputValue()).toBe('10.1.2.3')
      expect(await dialog.getByLabel('Type').inputValue()).toBe('ban')
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/moderation\/sanctions$/)
      await search('/adduser zed@example.com', /^\/adduser Add an account/)
      await waitFor(async () => (await dialog.getByLabel('Email').inputValue()) === 'zed@example.com')
      await dialog.getByLabel('Password').fill('correct horse battery')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'zed' }).waitFor()
      await search('roll back', /^\/rollback Roll back changes/)
      await page.waitForURL(/#\/map\?tab=history$/)
      await ask(server.url, 'DELETE /api/admin/users/zed@example.com', { token })
    },
    slow,
  )

  it(
    'compares accounts whose names look alike, renames several at once, and undoes that',
    async () => {
      const names = { 'bill@example.com': 'Bill', 'fake@example.com': 'B\u0456ll', 'third@example.com': 'BILL' }
      for (const [email, displayName] of Object.entries(names))
        await ask(server.url, 'POST /api/admin/users', {
          token,
          body: { email, displayName, password: 'correct horse battery', force: true },
        })
      const readNames = async () => {
        const { body } = await ask(server.url, 'GET /api/admin/users', { token })
        const users = body.users as readonly { email: string; displayName: string }[]
        return Object.fromEntries(users.filter(({ email }) => email in names).map((user) => [user.email, user.displayName]))
      }
      await tab.show('people', 'Accounts')
      await page.getByRole('button', { name: 'Names that look alike' }).click()
      await page.getByRole('cell', { name: 'boss@example.com', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Rename accounts…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Rename 2 accounts' }).waitFor()
      expect(await dialog.getByLabel('Name of bill@example.com').inputValue()).toBe('Bill')
      expect(await dialog.getByLabel('Name of third@example.com').inputValue()).toBe('BILL3')
      await dialog.getByLabel('Name of fake@example.com').fill('Bert')
      await dialog.getByLabel('Name of third@example.com').fill('bILL')
      await dialog.getByRole('button', { name: 'Rename 2 accounts' }).click()
      await dialog.getByRole('alert').getByText('1 renamed. Not renamed: third@example.com').waitFor()
      await dialog.getByLabel('Name of third@example.com').fill('Ben')
      await dialog.getByRole('button', { name: 'Rename 1 account', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('No accounts found.').waitFor()
      expect(await readNames()).toEqual({ 'bill@example.com': 'Bill', 'fake@example.com': 'Bert', 'third@example.com': 'Ben' })

      const add = (email: string, displayName: string) =>
        ask(server.url, `PUT /api/admin/users/${email}`, { token, body: { displayName, force: true } })
      await add('fake@example.com', 'Bill')
      await add('third@example.com', 'bill')
      await tab.show('jobs', 'Jobs')
      await tab.show('people?only=twice', 'Accounts')
      await page.getByRole('button', { name: 'Rename accounts…' }).click()
      await dialog.getByRole('button', { name: 'Rename 2 accounts' }).click()
      await page.getByText('2 accounts renamed.').waitFor()
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.').waitFor()
      expect(await readNames()).toEqual({ 'bill@example.com': 'Bill', 'fake@example.com': 'Bill', 'third@example.com': 'bill' })
    },
    slow,
  )

  it(
    'merges an account into one whose name looks alike, with a preview, and undoes that',
    async () => {
      const [from, into] = ['fake@example.com', 'bill@example.com']
      await ask(server.url, `PUT /api/admin/users/${from}`, { token, body: { groups: ['player', 'admin'] } })
      const mute = { kind: 'mute', email: from, reason: 'shouting', until: '2999-01-01T00:00:00Z' }
      await ask(server.url, 'POST /api/admin/sanctions', { token, body: mute })
      await tab.show('jobs', 'Jobs')
      await tab.show('people?only=twice', 'Accounts')
      await page.getByRole('button', { name: 'Rename accounts…' }).click()
      const dialog = page.getByRole('dialog')
      const card = dialog.getByRole('listitem').filter({ has: page.getByRole('link', { name: from }) })
      const href = await card.getByRole('link', { name: 'Merge into the account seen last…' }).getAttribute('href')
      expect(href).toBe(`#/people/${encodeURIComponent(from)}?merge=${encodeURIComponent(into)}`)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await tab.show(`people/${from}?merge=${into}`, 'Bill')
      await dialog.getByRole('button', { name: 'Show preview' }).click()
      await dialog.getByText('Mute: shouting').waitFor()
      await dialog.getByText('admin', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Merge and delete' }).click()
      await page.getByText(`Merged ${from} into ${into}.`).waitFor()
      const read = async (email: string) => (await ask(server.url, `GET /api/admin/users/${email}`, { token })).body
      expect(await read(from)).toMatchObject({ status: 404 })
      expect(await read(into)).toMatchObject({ groups: ['player', 'admin'] })
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.').waitFor()
      expect(await read(from)).toMatchObject({ groups: ['player', 'admin'] })
      expect(await read(into)).toMatchObject({ groups: ['player'] })
      await page.getByRole('button', { name: `Actions for ${into}` }).click()
      await page.getByRole('menuitem', { name: 'Merge into another account…' }).click()
      await dialog.getByLabel('Account that remains').fill(into)
      await dialog.getByRole('button', { name: 'Show preview' }).click()
      await dialog.getByText('An account cannot be merged into itself.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      for (const email of [from, into, 'third@example.com']) await ask(server.url, `DELETE /api/admin/users/${email}`, { token })
      const { sanctions } = (await ask(server.url, `GET /api/admin/sanctions?email=${from}`, { token })).body as {
        sanctions: { id: string }[]
      }
      for (const { id } of sanctions) await ask(server.url, `DELETE /api/admin/sanctions/${id}`, { token })
    },
    slow,
  )

  it(
    'searches the audit log by words and time, saves it as CSV, and names a merged account',
    async () => {
      for (const name of ['oldmill', 'newmill'])
        await ask(server.url, 'POST /api/admin/users', {
          token,
          body: { email: `${name}@example.com`, password: 'correct horse battery' },
        })
      const merge = { token, body: { into: 'newmill@example.com' } }
      await ask(server.url, 'POST /api/admin/users/oldmill@example.com/merge', merge)
      await tab.show('audit', 'Audit log')
      await page.getByRole('searchbox', { name: 'Search name, email or action' }).fill('OLDMILL delete')
      await page.getByText('1 entry', { exact: true }).waitFor()
      await page.getByText('Merged the account oldmill into newmill@example.com.').waitFor()
      await page.getByRole('button', { name: 'Last hour' }).click()
      await page.waitForURL(/q=OLDMILL\+delete&last=1h$/)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ])
      const [head, row, ...more] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
      expect(head).toBe('\ufeffTime,Actor,Change,Details,Target,Source,Request ID')
      expect(row).toContain(',merged the account oldmill into newmill@example.com.,account.delete,oldmill@example.com,http,')
      expect(more).toEqual([])

      await page.getByText('More filters').click()
      await page.getByLabel('Target').fill('newm')
      await page.locator('datalist option[value="newmill@example.com"]').waitFor({ state: 'attached' })
      await page.getByLabel('Target').fill('newmill@example.com')
      await page.getByText('No matching entries.').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.locator('input[name=to]').fill('2020-01-01T00:00')
      await page.getByText('No matching entries.').waitFor()
      await page.waitForURL(/#\/audit\?to=20(19|20)-\d\d-\d\dT\d\d%3A\d\d%3A00\.000Z$/)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('link', { name: 'newmill' }).first().waitFor()
      await ask(server.url, 'DELETE /api/admin/users/newmill@example.com', { token })
    },
    slow,
  )

  it(
    'shows how to run a world; renames, exports, deletes and restores one that no node runs',
    async () => {
      await tab.show('worlds', 'Worlds')
      await page.getByRole('button', { name: 'Create world' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('north')
      await page.getByRole('dialog').getByRole('button', { name: 'Create world' }).click()
      await page.getByText('The world north was created.').waitFor()
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'north' }) })
      await card.getByText('Not running').waitFor()
      await card.getByText('GAME_WORLD_NAME=north npm start', { exact: true }).waitFor()
      const running = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'default' }) })
      await running.getByText('Running', { exact: true }).waitFor()
      expect(await page.getByText('GAME_WORLD_NAME=default npm start').count()).toBe(0)
      for (const what of ['Rename', 'Delete']) {
        await choose('Actions for default', `${what}…`)
        const refused = page.getByRole('dialog')
        await refused.getByText('A node runs this world. Stop it before').waitFor()
        expect(await refused.getByRole('button', { name: `${what} world` }).isDisabled()).toBe(true)
        await page.keyboard.press('Escape')
        await refused.waitFor({ state: 'detached' })
      }

      await choose('Actions for north', 'Rename…')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('New name').fill('default')
      await dialog.getByRole('button', { name: 'Rename world' }).click()
      await dialog.getByText('already exists').waitFor()
      await dialog.getByLabel('New name').fill('south')
      await dialog.getByRole('button', { name: 'Rename world' }).click()
      await page.getByText('The world north is now south.').waitFor()

      const [download] = await Promise.all([page.waitForEvent('download'), choose('Actions for south', 'Export to a file')])
      expect(download.suggestedFilename()).toBe('south.world')
      const file = await download.path()
      const { header, close } = await readWorldFile(file)
      close()
      expect(header).toMatchObject({ name: 'south', chunkCount: 0 })

      await page.getByRole('button', { name: 'Import…' }).click()
      await dialog
        .getByLabel('Exported file')
        .setInputFiles({ name: 'home.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') })
      await dialog.getByText('This is a packed Minecraft world.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Upload and import' }).isDisabled()).toBe(true)
      const foreign = { name: 'west.world', mimeType: 'application/gzip', buffer: Buffer.from('hello') }
      await dialog.getByLabel('Exported file').setInputFiles(foreign)
      await dialog.getByLabel('New name').fill('west')
      await dialog.getByRole('button', { name: 'Upload and import' }).click()
      await dialog.getByText('it is not a world that Gatehouse exported').waitFor()
      await dialog.getByLabel('Exported file').setInputFiles(file)
      await dialog.getByRole('button', { name: 'Upload and import' }).click()
      await dialog.getByText('Imported the world "west" with 0 chunks.').waitFor({ timeout: slow })
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('heading', { name: 'west' }).waitFor()

      await choose('Actions for south', 'Delete…')
      await dialog.getByRole('button', { name: 'Delete world' }).click()
      // A message under the pointer stays.
      await page.getByText('The world south was deleted.').hover()
      await page.getByRole('button', { name: 'Actions for south', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('The world south is back.').waitFor()
      await page.getByRole('heading', { name: 'south' }).waitFor()
    },
    slow,
  )

  it(
    'shows the name of the server on top and in the title of the window',
    async () => {
      const body = { provider: 'local', requirePassword: false, registration: 'off', name: `Oak ${hostileName}` }
      await page.route('**/api/auth/config', (route) => route.fulfill({ json: body }))
      await page.reload()
      await tab.show('', 'Overview')
      await page.locator('.brand').getByText(body.name, { exact: true }).waitFor()
      await page.waitForFunction(`document.title === ${JSON.stringify(`Overview · ${body.name}`)}`)
      await page.unroute('**/api/auth/config')
      await page.reload()
      await page.locator('.brand').getByText('Gatehouse', { exact: true }).waitFor()
    },
    slow,
  )

  it(
    'lists modules that are off in the overview, and turns one on',
    async () => {
      const module = (name: string, state: string) => ({
        name,
        version: '1.0.0',
        api: 1,
        state,
        required: false,
        msPerTick: 0,
        handlers: [],
        faults: 3,
        setAside: 0,
        entities: 0,
        commands: [],
        messages: [],
        permissions: [],
        fault: { at: '2026-11-27T12:00:00.000Z', id: 'a1', message: `${hostileName} is not a function` },
      })
      let isOn = false
      const states = () => [module('spleef', isOn ? 'running' : 'off'), module('homes', 'failed')]
      await page.route('**/api/admin/modules', (route) => route.fulfill({ json: { modules: states() } }))
      await page.route('**/api/admin/modules/spleef/enable', (route) => {
        isOn = true
        return route.fulfill({ json: module('spleef', 'running') })
      })
      await tab.show('', 'Overview')
      await page.getByText('The module homes could not be loaded.').waitFor()
      await page.getByText('The server turned the module spleef off because of faults.').waitFor()
      await page.getByRole('button', { name: 'Turn spleef on' }).click()
      await page.getByText('Turned spleef on.').waitFor()
      await page.getByText('The server turned the module spleef off').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Show modules' }).click()
      await page.getByRole('row', { name: /homes.*not loaded.*Listed while it is loaded/ }).waitFor()
      await page.getByRole('row', { name: /spleef.*running.*None/ }).waitFor()
      const badge = await page.getByText('not loaded', { exact: true }).evaluate((element) => element.getClientRects().length)
      expect(badge).toBe(1)
      await page.unroute('**/api/admin/modules')
      await page.unroute('**/api/admin/modules/spleef/enable')
    },
    slow,
  )

  it(
    'says that a part of the page could not be loaded, and reloads the page on demand',
    async () => {
      const other = await openConsolePage({ browser, url: server.url, token })
      // The server was updated: the files of the open page no longer exist.
      await other.page.route('**/pages/modules-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
      await other.page.goto(`${server.url}/console#/modules`)
      await other.page.getByText('This part of the page could not be loaded.').waitFor()
      await other.page.unroute('**/pages/modules-page-*.js')
      await other.page.getByRole('button', { name: 'Try again' }).click()
      await other.page.getByRole('heading', { level: 1, name: 'Modules' }).waitFor()
      await other.page.close()
    },
    slow,
  )

  it(
    'stays open while the server is away, and loads the part of the page when it is back',
    async () => {
      const other = await openConsolePage({ browser, url: server.url, token })
      await other.show('jobs', 'Jobs')
      await other.page.route('**/*', (route) => route.abort('connectionrefused'))
      await other.page.goto(`${server.url}/console#/modules`)
      await other.page.getByText('This part of the page loads when the server answers again.').waitFor()
      await other.page.getByRole('button', { name: 'Try again' }).click()
      await other.page.getByText('The server does not answer. Trying again…').waitFor()
      await other.page.unroute('**/*')
      await other.page.getByRole('heading', { level: 1, name: 'Modules' }).waitFor()
      expect(other.page.url()).toBe(`${server.url}/console#/modules`)
      await other.page.close()
    },
    slow,
  )

  it(
    'draws a value without neighbours as a point, such as the last before a restart',
    async () => {
      const other = await openConsolePage({ browser, url: server.url, token })
      await other.page.route('**/api/admin/metrics?*', async (route) => {
        const answer = await route.fetch()
        const metrics = await answer.json()
        for (const node of metrics.nodes) node.steps.splice(1)
        await route.fulfill({ json: metrics })
      })
      await other.show('home', 'Overview')
      await other.page.locator('.chart canvas').nth(1).waitFor()
      const countGreen = async () =>
        Number(
          await other.page.evaluate(`(() => {
            const canvas = document.querySelectorAll('.chart canvas')[1]
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
            let count = 0
            for (let at = 0; at < data.length; at += 4) if (data[at + 1] - data[at] > 60) count += 1
            return count
          })()`),
        )
      await waitFor(async () => (await countGreen()) > 0)
      await other.page.close()
    },
    slow,
  )

  it(
    'shows a page that fails as failed, while the menu and the other pages work',
    async () => {
      const other = await openConsolePage({ browser, url: server.url, token })
      await other.page.route('**/api/admin/modules', (route) => route.fulfill({ json: { modules: [{ name: 'homes' }] } }))
      await other.page.goto(`${server.url}/console#/modules`)
      await other.page.getByRole('heading', { level: 1, name: 'This page failed' }).waitFor()
      await other.show('jobs', 'Jobs')
      await other.page.unroute('**/api/admin/modules')
      await other.show('modules', 'Modules')
      expect(other.faults.length).toBeGreaterThan(0)
      await other.page.close()
    },
    slow,
  )

  it(
    'shows jobs even when each answer takes longer than the polling interval',
    async () => {
      await page.route('**/api/admin/jobs?*', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 3_000))
        await route.continue()
      })
      await tab.show('people', 'Accounts')
      await page.goto(`${server.url}/console#/jobs`)
      await page.locator('.wait-bar').waitFor()
      await page.getByRole('row', { name: /Generate land.*done/ }).waitFor({ timeout: 30_000 })
      await page.unrouteAll({ behavior: 'wait' })
      await page.locator('.wait-bar').waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'offers to try again after a failed load',
    async () => {
      const body = JSON.stringify({
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
        detail: 'The store is away.',
      })
      await page.route('**/api/admin/backups', (route) =>
        route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
      )
      await tab.show('backups', 'Backups')
      await page.getByRole('alert').getByText('The store is away.').waitFor()
      await page.unroute('**/api/admin/backups')
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByText('No backups yet.').waitFor()
      await page.getByText('The store is away.').waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'cancels a running job',
    async () => {
      const body = { radius: 200 }
      await ask(server.url, 'POST /api/admin/worlds/default/pregen', { token, body })
      await tab.show('jobs', 'Jobs')
      await page.getByRole('button', { name: 'Cancel job' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click()
      await page.getByRole('row', { name: /Generate land.*cancelled/ }).waitFor({ timeout: slow })
    },
    slow,
  )

  it(
    'makes a backup, verifies, downloads and deletes it, and names the command that restores it',
    async () => {
      await tab.show('backups', 'Backups')
      await page.getByText('No backups yet.').waitFor()
      await page.getByRole('button', { name: 'Create backup' }).click()
      await page.getByRole('cell', { name: 'default' }).waitFor({ timeout: slow })
      await page.getByText('not verified').waitFor({ state: 'detached', timeout: slow })
      const [backup] = JSON.parse((await ask(server.url, 'GET /api/admin/backups', { token })).text).backups
      await page.getByRole('button', { name: 'Restore…' }).click()
      const command = `npm run backup -- restore ${backup.id} --replace`
      await page.getByRole('dialog').getByText(command, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await choose(`Actions for ${backup.id}`, 'Verify')
      await page.getByText(`Every record of the backup ${backup.id} is intact.`).waitFor({ timeout: slow })
      const [download] = await Promise.all([page.waitForEvent('download'), choose(`Actions for ${backup.id}`, 'Download')])
      expect(download.suggestedFilename()).toBe(`gatehouse-${backup.id}.tar.gz`)
      await page.getByText('1 backup', { exact: true }).waitFor()
      await choose(`Actions for ${backup.id}`, 'Delete…')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click()
      await page.getByText('There is no backup. If the disk fails, all data is lost.').waitFor()
    },
    slow,
  )

  it(
    'saves the schedule of backups, and keeps the comments of server.yaml',
    async () => {
      await tab.show('backups', 'Backups')
      await page.getByLabel('Make a backup').selectOption('Every day')
      await page.getByLabel('Newest backups').fill('3')
      await page.getByRole('button', { name: 'Save schedule' }).click()
      await page.getByText('Schedule saved.').waitFor()
      const { text } = await ask(server.url, 'GET /api/admin/configs/server.yaml', { token })
      expect(text).toContain('every: 1d')
      expect(text).toMatch(/keep:\s+last: 3/)
      expect(text).toContain(quickConfig.split('\n')[0]?.slice(0, 20))
    },
    slow,
  )

  it(
    'explains why an account may or may not do something, by permission and by command',
    async () => {
      const body = { email: 'ann@example.com', password: 'correct horse battery', displayName: hostileName }
      await ask(server.url, 'POST /api/admin/users', { token, body })
      const granted = { group: 'moderator' }
      expect((await ask(server.url, 'POST /api/admin/users/ann@example.com/grants', { token, body: granted })).status).toBe(201)
      await tab.show('people/ann%40example.com', hostileName)
      // The permissions of a granted group apply too.
      const source = page.locator('.source', { hasText: 'Grant of group moderator' })
      await source.getByRole('button', { name: 'Why command.kick?' }).waitFor()
      const grants = JSON.parse((await ask(server.url, 'GET /api/admin/users/ann@example.com', { token })).text).grants
      await ask(server.url, `DELETE /api/admin/users/ann@example.com/grants/${grants[0].id}`, { token })
      await tab.show('groups', 'Groups')
      // The menu stays in view at every scroll position.
      await page.setViewportSize({ width: 1280, height: 400 })
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      expect(await page.evaluate('Math.abs(document.querySelector(".side").getBoundingClientRect().top) < 1')).toBe(true)
      await page.setViewportSize({ width: 1280, height: 800 })
      await tab.show('people/ann%40example.com', hostileName)
      await page.getByRole('button', { name: 'Why world.build?' }).click()
      await page.getByText('Allowed:').waitFor()
      await page.getByText('in player, from groups.yaml.').waitFor()
      await page.getByLabel('Permission or command').fill('/kick')
      await page.getByLabel('Position').fill('0 64 0')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Denied:').waitFor()
      await page.getByText('command.kick').first().waitFor()
      // Sends another query for the same place.
      const again = page.waitForRequest((request) => request.url().includes('/explain?'))
      await page.getByRole('button', { name: 'Why world.build?' }).click()
      const { searchParams } = new URL((await again).url())
      expect([searchParams.get('permission'), searchParams.get('y')]).toEqual(['world.build', '64'])
    },
    slow,
  )

  it(
    'shows chat on Moderation without entering the game',
    async () => {
      const ann = await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com', 'correct horse battery'))
      await ann.session.chat('Before anyone looked.')
      await tab.show('moderation/chat', 'Moderation')
      await page.getByText(`${hostileName}: Before anyone looked.`).waitFor()
      await ann.session.chat('<i>Is anyone here?</i>')
      await page.getByText(`${hostileName}: <i>Is anyone here?</i>`).waitFor()
      const { players } = (await ask(server.url, 'GET /api/admin/players', { token })).body
      expect(players).toMatchObject([{ displayName: hostileName }])
      await ann.session.close()
      await page.getByText(`${hostileName} left the world.`).waitFor()
    },
    slow,
  )

  it(
    'closes one report, and several at once with one note',
    async () => {
      const ann = await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com', 'correct horse battery'))
      for (const text of ['one', 'two', 'three']) await ann.session.command(`/report "A ladder is missing: ${text}"`)
      await ann.session.close()
      await tab.show('moderation', 'Moderation')
      const reports = page.getByRole('article')
      await waitFor(async () => (await reports.count()) === 3)
      await page.getByRole('link', { name: 'Reports 3 open reports' }).waitFor()
      const dialog = page.getByRole('dialog')
      await reports.filter({ hasText: 'missing: two' }).getByRole('button', { name: 'Close report' }).click()
      await dialog.getByRole('button', { name: 'Close report' }).click()
      await page.getByText('Report closed.').waitFor()
      await waitFor(async () => (await reports.count()) === 2)
      await tab.checkForEverybody('moderation', 'Moderation', () => reports.first().waitFor())
      expect(await page.getByRole('button', { name: 'Close selected…' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Select all' }).click()
      await page.getByText('2 selected').waitFor()
      await page.getByRole('button', { name: 'Close selected…' }).click()
      await dialog.getByLabel('Note').fill('It is by the well.')
      await dialog.getByRole('button', { name: 'Close reports' }).click()
      await page.getByText('2 reports closed.').waitFor()
      await page.getByText('No open reports.').waitFor()
      await page.getByRole('link', { name: 'Reports', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Show closed' }).click()
      await waitFor(async () => (await page.getByText('It is by the well.').count()) === 2)
    },
    slow,
  )

  it(
    'says on Commands that live chat cannot be loaded, and loads it on demand',
    async () => {
      await page.route('**/api/realtime/nodes', (route) =>
        route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          json: { type: '/problems/service-unavailable', title: 'Unavailable', status: 503, detail: 'The nodes are away.' },
        }),
      )
      await tab.show('console', 'Commands')
      const alert = page.getByRole('alert').filter({ hasText: 'Live chat cannot be loaded. The nodes are away.' })
      await alert.waitFor()
      await page.unroute('**/api/realtime/nodes')
      await alert.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('You read chat without being in the game.').waitFor()
      await alert.waitFor({ state: 'detached' })
      await page.route('**/api/realtime/nodes', (route) => route.fulfill({ json: { items: [] } }))
      await tab.show('jobs', 'Jobs')
      await tab.show('console', 'Commands')
      await page.getByText('No world is running, so there is no live chat.').waitFor()
      await page.unroute('**/api/realtime/nodes')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('You read chat without being in the game.').waitFor()
    },
    slow,
  )

  it(
    'searches the chat log by text, player and time, and saves it as CSV',
    async () => {
      const log = page.locator('section', { has: page.getByRole('heading', { name: 'Chat log' }) })
      const stored = async () => {
        const { lines } = (await ask(server.url, 'GET /api/admin/chat?q=anyone', { token })).body as { lines: unknown[] }
        return lines.length === 2
      }
      await waitFor(stored, slow, 500)
      await tab.show('moderation/chat?q=anyone', 'Moderation')
      await log.getByText('Before anyone looked.').waitFor()
      await log.getByText('<i>Is anyone here?</i>').waitFor()
      await log.getByLabel('Search messages').fill('before')
      await log.getByText('<i>Is anyone here?</i>').waitFor({ state: 'detached' })
      const download = page.waitForEvent('download')
      await log.getByRole('button', { name: 'Download CSV' }).click()
      expect(await readFile(await (await download).path(), 'utf8')).toContain('Before anyone looked.')
      await log.getByText('More filters').click()
      await log.getByLabel('Player').fill('nobody@example.com')
      await log.getByText('No account has that email.').waitFor()
      await log.getByRole('button', { name: 'Clear filters' }).click()
      await log.getByText('<i>Is anyone here?</i>').waitFor()
      await log.getByLabel('From').fill('2100-01-01T00:00')
      await log.getByText('No stored messages match.').waitFor()
      await tab.checkForEverybody('moderation/chat', 'Moderation')
    },
    slow,
  )

  it(
    'shows chat, and names without emails, to a member of the starter group moderator',
    async () => {
      const account = { email: 'mod@example.com', password: 'correct horse battery', displayName: 'Mod' }
      await ask(server.url, 'POST /api/admin/users', { token, body: account })
      await ask(server.url, 'PUT /api/admin/users/mod@example.com', { token, body: { groups: ['moderator'] } })
      const mod = await stage.signIn(server.url, account.email, account.password)
      const quinn = { email: 'quinn@example.com', password: 'correct horse battery', displayName: 'Quiet Quinn' }
      await ask(server.url, 'POST /api/admin/users', { token, body: quinn })
      const mute = { kind: 'mute', email: quinn.email, reason: 'shouting', until: '2999-01-01T00:00:00Z' }
      expect((await ask(server.url, 'POST /api/admin/sanctions', { token: mod, body: mute })).status).toBe(201)
      const other = await openConsolePage({ browser, url: server.url, token: mod })
      await other.show('moderation/chat', 'Moderation')
      await other.page.getByText(`${hostileName}: Before anyone looked.`).waitFor()
      await other.page.getByRole('link', { name: 'Bans, mutes and warnings' }).click()
      await other.page.getByRole('row', { name: /Mute Quiet Quinn shouting/ }).waitFor()
      expect(await other.page.getByText(quinn.email).count()).toBe(0)
      await other.page.close()
    },
    slow,
  )

  it(
    'joins the game, receives and sends chat, and shows it as plain text',
    async () => {
      const ann = await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com', 'correct horse battery'))
      await tab.show('console', 'Commands')
      await page.getByRole('button', { name: 'Join the game' }).click()
      const line = page.getByLabel('Message or command')
      await line.and(page.locator(':focus')).waitFor({ timeout: slow })
      await ann.session.chat('<b>hello</b>')
      await page.getByText(`${hostileName}: <b>hello</b>`).waitFor()
      const heard = ann.session.events('chat')
      await line.fill('Good evening.')
      await page.keyboard.press('Enter')
      await page.getByText('boss: Good evening.').waitFor()
      for await (const said of heard) if (said.from === 'boss' && said.text === 'Good evening.') break
      const log = page.getByRole('log')
      const isAtEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2)
      for (const round of [1, 2, 3]) {
        await line.fill('/help')
        await page.keyboard.press('Enter')
        await log
          .locator('.answer')
          .nth(round - 1)
          .waitFor()
        await waitFor(isAtEnd)
      }
      await log.evaluate((box) => box.scrollTo(0, 0))
      await ann.session.chat('Come and see.')
      await page.getByText(`${hostileName}: Come and see.`).waitFor()
      expect(await log.evaluate((box) => [box.scrollTop, box.scrollHeight > box.clientHeight + 200])).toEqual([0, true])
      await line.fill('I come.')
      await page.keyboard.press('Enter')
      await page.getByText('boss: I come.').waitFor()
      await waitFor(isAtEnd)
      await ann.session.close()
    },
    slow,
  )

  it(
    'completes, checks and runs a command by keyboard alone',
    async () => {
      const line = page.getByLabel('Message or command')
      await line.pressSequentially('/gra')
      const names = page.getByRole('list', { name: 'Suggestions' })
      await names.getByRole('button', { name: /^\/grant .*[a-z]{3}/ }).waitFor()
      await line.pressSequentially('nt ann ad')
      await page.locator('#line-usage').getByText('/grant <player> <group-or-permission>').waitFor()
      await page.getByRole('button', { name: '/grant ann admin', exact: true }).waitFor()
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: '/grant ann admin 10m' }).waitFor()
      await page.keyboard.type('soon ')
      await page.getByText('duration must be a duration, such as 90s, 10m, 2h, 7d or 4w.').waitFor()
      await line.fill('')
      await line.pressSequentially('/adduser eve@example.com "a password of eve"')
      await page.keyboard.press('Enter')
      await page.getByText('/adduser eve@example.com ••••').waitFor()
      await page.locator('.line.answer').last().waitFor()
      await page.keyboard.press('ArrowUp')
      await waitFor(async () => (await line.inputValue()) === 'I come.')
      await line.fill('/kick "nobody at all"')
      await page.keyboard.press('Enter')
      await page.locator('.line.fault').last().waitFor()
      await tab.checkForEverybody('console', 'Commands')
      await tab.show('people', 'Accounts')
      await page.getByRole('row').filter({ hasText: 'boss@example.com' }).getByText('online now').waitFor()
      // A moderator on another page stays in the game, and sees the chat there too.
      await tab.show('moderation/chat', 'Moderation')
      await page.getByText('boss: Good evening.').waitFor()
      await page.getByRole('button', { name: 'Leave the game' }).click()
      await page.getByText('You left the game.').waitFor()
    },
    slow,
  )

  it(
    'creates an API token, shows its secret once, and deletes it',
    async () => {
      await tab.show('tokens', 'API tokens')
      await page.getByText('You have no API tokens.').waitFor()
      await page.getByRole('button', { name: 'Create API token' }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
      await page.keyboard.type('map bot')
      await dialog.getByRole('button', { name: 'Create API token' }).click()
      await dialog.getByText('Choose at least one permission.').waitFor()
      await dialog.getByLabel('Other permissions').fill('zone.nonsense')
      await dialog.getByRole('button', { name: 'Create API token' }).click()
      await dialog.getByText('zone.nonsense').first().waitFor()
      await dialog.getByLabel('Other permissions').fill('zone.*')
      await dialog.getByLabel('admin.worlds.read').check()
      await dialog.getByRole('button', { name: 'Create API token' }).click()
      await dialog.getByText('You cannot see it again.').waitFor()
      // A secret that is not copied yet outlives Escape.
      await page.keyboard.press('Escape')
      const secret = (await dialog.locator('pre').textContent()) ?? ''
      expect(secret).toMatch(/^ght_[\w-]{43}$/)
      expect((await ask(server.url, 'GET /api/admin/worlds', { token: secret })).status).toBe(200)
      expect((await ask(server.url, 'GET /api/admin/users', { token: secret })).status).toBe(403)
      await dialog.getByRole('button', { name: 'I have copied it' }).click()
      const row = page.getByRole('row', { name: /map bot.*admin\.worlds\.read zone\.\*.*20\d\d/ })
      // One's own list, and the list of all accounts.
      await waitFor(async () => (await row.count()) === 2)
      expect(await page.getByText(secret).count()).toBe(0)
      await tab.checkForEverybody('tokens', 'API tokens', () => row.first().waitFor())
      await tab.show(`people/${administrator.email}?tab=sessions`, 'boss')
      await page.getByRole('button', { name: 'Delete map bot' }).click()
      await page
        .getByRole('dialog', { name: /^Delete the API token/ })
        .getByRole('button', { name: 'Delete', exact: true })
        .click()
      await page.getByText('No API tokens.').waitFor()
      expect((await ask(server.url, 'GET /api/admin/worlds', { token: secret })).status).toBe(401)
    },
    slow,
  )

  it(
    'makes the link of an invitation, which registers one player',
    async () => {
      await tab.show('people', 'Accounts')
      await page.getByRole('button', { name: 'Invite player' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('player', { exact: true }).and(page.locator(':checked')).waitFor()
      await dialog.getByLabel('builder', { exact: true }).check()
      await dialog.getByRole('button', { name: 'Create link' }).click()
      const link = await dialog.locator('pre').textContent()
      const [, invitation] = /\/play#invite=(\S+)$/.exec(link ?? '') ?? []
      const friend = { email: 'friend@example.com', password: 'correct horse battery', invitation }
      expect((await ask(server.url, 'POST /auth/register', { body: friend })).status).toBe(204)
      const { body } = await ask(server.url, 'GET /api/admin/users/friend@example.com', { token })
      expect(body.groups).toEqual(['player', 'builder'])
      await page.keyboard.press('Escape')
    },
    slow,
  )

  it(
    'accepts an invitation and a reset link, and leaves no code in the address',
    async () => {
      const invited = await ask(server.url, 'POST /api/admin/invitations', { token, body: {} })
      const other = await browser.context.newPage()
      const open = async (link: string, heading: string) => {
        await other.goto(`${server.url}/`)
        await other.goto(`${server.url}/console#${link}`)
        await other.getByRole('heading', { level: 1, name: heading }).waitFor()
        expect(other.url()).toBe(`${server.url}/console`)
      }
      await open(`invite=${invited.body.code}`, 'Create your account')
      await other.getByLabel('Email').fill('ada@example.com')
      await other.getByLabel('Password').fill('the password of ada')
      await other.getByRole('button', { name: 'Create account' }).click()
      await other.getByText('Your account is ready.').waitFor()
      const link = await ask(server.url, 'POST /api/admin/users/ada@example.com/reset-link', { token })
      await open(`reset=${link.body.code}`, 'Choose a new password')
      await other.getByLabel('New password').fill('another password of ada')
      await other.getByRole('button', { name: 'Set password' }).click()
      await other.getByText('Your password is set.').waitFor()
      await other.getByLabel('Email').fill('ada@example.com')
      await other.getByLabel('Password').fill('another password of ada')
      await other.getByRole('button', { name: 'Sign in' }).click()
      await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await open(`reset=${link.body.code}`, 'Choose a new password')
      await other.getByLabel('New password').fill('a third password of ada')
      await other.getByRole('button', { name: 'Set password' }).click()
      await other.getByRole('alert').waitFor()
      await other.close()
    },
    slow,
  )

  it.each([
    ['jobs', 'Jobs'],
    ['backups', 'Backups'],
    ['worlds', 'Worlds'],
    ['people/ann%40example.com', hostileName],
    [`people/${encodeURIComponent(administrator.email)}?tab=history`, 'boss'],
  ])(
    'shows %s accessibly: axe finds nothing, and 320 pixels are enough',
    (name, heading) => tab.checkForEverybody(name, heading),
    slow,
  )

  it(
    'scrolls the page and nothing in it where a list is long, with the head of the list on top',
    async () => {
      const addresses = Array.from({ length: 60 }, (_, at) => `198.51.100.${at}`)
      for (const address of addresses)
        await ask(server.url, 'POST /api/admin/sanctions', { token, body: { kind: 'ban', address, reason: `Flood ${address}` } })
      /** Elements below the frame that scroll by themselves. */
      const listScrolling = `[...document.querySelectorAll('main *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY))
        .map((one) => one.className)`
      for (const [width, height] of [
        [1440, 900],
        [1280, 720],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height })
        await tab.show('jobs', 'Jobs')
        await tab.show('moderation/sanctions', 'Moderation')
        await page.getByText('Flood 198.51.100.59').waitFor()
        expect([width, await page.evaluate(listScrolling)]).toEqual([width, []])
        // By hand: rows appear as the page reaches them.
        const last = page.getByText('Flood 198.51.100.10', { exact: true })
        await page.mouse.move(width / 2, height / 2)
        await waitFor(async () => {
          await page.mouse.wheel(0, 700)
          return last.isVisible()
        })
        await last.scrollIntoViewIfNeeded()
        if (width < 1000) continue
        const head = await page.getByRole('columnheader', { name: 'Reason' }).boundingBox()
        expect([width, Math.round(head?.y ?? -1)]).toEqual([width, 0])
      }
      await page.setViewportSize({ width: 1280, height: 720 })
      // The table has only some of its rows.
      expect(await page.locator('tr[data-row]').count()).toBeLessThan(50)
    },
    slow,
  )

  it('violates no content policy, and throws no error', () => {
    expect(tab.faults).toEqual([])
  })
})
