import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import type { Game } from '../../sdk/examples/terminal/commands.ts'
import { ask } from '../e2e/support/api.ts'
import { createStage, type Server } from '../e2e/support/stage.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/pages/console-page.ts'
import { takePicture, varianceOf } from '../support/pages/picture.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
const hostileName = '<img src=x onerror=alert(1)>'
const tall = { yMin: 0, yMax: 255 }

describeBrowser('the map in the console', () => {
  const stage = createStage()
  let browser: Chromium
  let server: Server
  let token: string
  let ann: Game
  let tab: ConsolePage
  let page: Page

  beforeAll(async () => {
    browser = await openChromium({ isComplete: true })
    server = await stage.start({ DATA_DIR: await stage.createDataDir() })
    token = await stage.claim(server)
    const body = { email: 'ann@example.com', displayName: hostileName, groups: ['builder'], password: 'correct horse battery' }
    await ask(server.url, 'POST /api/admin/users', { token, body })
    ann = await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com', 'correct horse battery'))
    expect(await ask(server.url, 'POST /api/admin/worlds', { token, body: { name: 'other' } })).toMatchObject({ status: 201 })
    tab = await openConsolePage({ browser, url: server.url, token })
    page = tab.page
  }, slow)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
  }, slow)

  const boxOf = async (element: Locator) => {
    const box = await element.boundingBox()
    if (box === null) throw new Error('it is not on the page')
    return { x: Math.ceil(box.x), y: Math.ceil(box.y), width: Math.floor(box.width), height: Math.floor(box.height) }
  }
  const map = () => page.getByRole('application', { name: /^Map\./ })
  const middle = async () => {
    const box = await map().boundingBox()
    if (box === null) throw new Error('there is no map')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  /** Whether the middle of the ground is painted. */
  const isPainted = `(() => {
    const canvas = document.querySelector('.map-frame canvas')
    return canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] === 255
  })()`

  it(
    'offers to generate land in a world without any, and finds places by their coordinates',
    async () => {
      await tab.show('map?world=other', 'Map')
      await page.getByRole('button', { name: 'Generate land' }).waitFor()
      await tab.show('map?world=default', 'Map')
      await page
        .locator('.map-scale')
        .getByText(/^\d+ blocks?$/)
        .waitFor()
      const search = page.getByRole('combobox', { name: 'Find a zone, a player or coordinates' })
      await search.fill('120, -48')
      await search.press('Enter')
      await page.locator('.map-legend').getByText('120, -48').waitFor()
      await search.fill('nothing of this name')
      await search.press('Enter')
      await page.getByText('Not found in view.').waitFor()
      // The tests below draw around the middle of the world.
      await search.fill('0 0')
      await search.press('Enter')
    },
    slow,
  )

  it(
    'shows land, and players on it with names as plain text',
    async () => {
      await tab.show('map', 'Map')
      await waitFor(() => page.evaluate<boolean>(isPainted))
      await page.getByText('Connecting to the world…').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Players', exact: true }).last().click()
      await page.getByRole('button', { name: hostileName }).waitFor()
      await page.getByRole('link', { name: 'Zones', exact: true }).last().click()
    },
    slow,
  )

  it(
    'opens the card of a player by a click on the dot',
    async () => {
      await page.getByRole('link', { name: 'Players', exact: true }).last().click()
      // Moves the player to the middle.
      await page.getByRole('button', { name: hostileName }).click()
      const { x, y } = await middle()
      const card = page.getByRole('menu').filter({ hasText: hostileName })
      for (let turn = 0; turn < 2; turn += 1) {
        await page.mouse.click(x, y)
        await card.getByText('ann@example.com').waitFor()
        await card.getByRole('menuitem', { name: 'Kick' }).waitFor()
        await page.keyboard.press('Escape')
        await card.waitFor({ state: 'hidden' })
      }
      const search = page.getByRole('combobox', { name: 'Find a zone, a player or coordinates' })
      await search.fill('0 0')
      await search.press('Enter')
      await page.getByRole('link', { name: 'Zones', exact: true }).last().click()
    },
    slow,
  )

  it(
    'shows players in one place as one marker, which opens their list by click and by key',
    async () => {
      const body = { email: 'bob@example.com', displayName: 'Bob', groups: ['builder'], password: 'correct horse battery' }
      await ask(server.url, 'POST /api/admin/users', { token, body })
      const bob = await stage.enter(server.url, await stage.signIn(server.url, body.email, body.password))
      await page.getByRole('link', { name: 'Players', exact: true }).last().click()
      await page.getByRole('button', { name: 'Bob', exact: true }).waitFor()
      await page.getByRole('button', { name: hostileName, exact: true }).click()
      // A small scale, so that both are within a few pixels.
      for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Zoom out' }).click()
      const list = page.getByRole('menu', { name: '2 players here' })
      const { x, y } = await middle()
      await page.mouse.click(x, y)
      await list.getByRole('menuitem', { name: hostileName }).waitFor()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'hidden' })
      await map().focus()
      await page.keyboard.press('Enter')
      await list.getByRole('menuitem', { name: 'Bob' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.getByRole('menu').getByRole('menuitem', { name: 'Kick' }).waitFor()
      await page.keyboard.press('Escape')
      for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Zoom in' }).click()
      await bob.session.close()
      await page.getByRole('button', { name: 'Bob', exact: true }).waitFor({ state: 'detached' })
      const search = page.getByRole('combobox', { name: 'Find a zone, a player or coordinates' })
      await search.fill('0 0')
      await search.press('Enter')
      await page.getByRole('link', { name: 'Zones', exact: true }).last().click()
    },
    slow,
  )

  it(
    'draws a zone by mouse, and saves it',
    async () => {
      await page.getByText('No zones yet.').waitFor()
      await page.getByRole('button', { name: 'Draw zone' }).click()
      await page.getByText('Add a chunk to save the zone.').waitFor()
      await page.getByRole('button', { name: 'Rectangle', exact: true }).click()
      await map().scrollIntoViewIfNeeded()
      const { x, y } = await middle()
      // Two pixels a block: columns 0 to 2 by 0 to 1.
      await page.mouse.move(x + 4, y + 4)
      await page.mouse.down()
      await page.mouse.move(x + 70, y + 40, { steps: 4 })
      await page.mouse.up()
      await page.getByText('6 chunks.').waitFor()
      await page.getByRole('button', { name: 'Erase', exact: true }).click()
      await page.mouse.click(x + 4, y + 4)
      await page.getByText('5 chunks.').waitFor()
      await page.getByRole('button', { name: 'Paint', exact: true }).click()
      await page.mouse.click(x - 4, y + 4)
      await page.getByText('6 chunks.').waitFor()
      await page.getByText('Enter a name to save the zone.').waitFor()
      await page.getByLabel('Name', { exact: true }).fill(hostileName)
      await page.getByRole('button', { name: 'Save zone' }).click()
      await page.getByText(`${hostileName} saved.`).waitFor()
      const { text } = await ask(server.url, 'GET /api/admin/instances', { token })
      expect(JSON.parse(text)).toMatchObject([{ name: hostileName, chunks: [{ cx: -1 }, { cx: 0 }, { cx: 1 }, {}, {}, {}] }])
    },
    slow,
  )

  it(
    'draws a zone by keyboard alone, and shows refusals before the server does',
    async () => {
      await page.getByRole('button', { name: 'Draw zone' }).press('Enter')
      await page.getByLabel('Name', { exact: true }).fill('Keys')
      const columns = async (fromX: number, fromZ: number, toX: number, toZ: number) => {
        for (const [label, value] of Object.entries({ 'From x': fromX, 'From z': fromZ, 'To x': toX, 'To z': toZ }))
          await page.getByLabel(label, { exact: true }).fill(String(value))
      }
      await columns(1, 1, 1, -2)
      await page.getByLabel('To z', { exact: true }).press('Enter')
      await page.getByText('4 chunks.').waitFor()
      await page.getByText(`Overlaps ${hostileName} (red).`).waitFor()
      expect(await page.getByRole('button', { name: 'Save zone' }).isDisabled()).toBe(true)
      await columns(1, 0, 1, 1)
      await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await page.getByText('Overlaps').waitFor({ state: 'detached' })
      await columns(60, 0, 60, 0)
      await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
      await page.getByText('1 chunk is not generated yet (orange).').waitFor()
      await page.getByRole('button', { name: 'Remove them' }).press('Enter')
      await page.getByText('2 chunks.').waitFor()
      // In the middle of the map, moved to another column.
      await map().focus()
      for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
      await page.getByText('3 chunks.').waitFor()
      await page.getByRole('button', { name: 'Save zone' }).press('Enter')
      await page.getByText('Keys saved.').waitFor()
    },
    slow,
  )

  it(
    'shows changes by another admin at once, also in the zone that is being edited',
    async () => {
      const body = { name: 'Theirs', ...tall, chunks: [{ cx: 3, cz: 3 }] }
      const made = await ask(server.url, 'POST /api/admin/instances', { token, body })
      expect(made.status).toBe(201)
      await page.getByRole('button', { name: 'Theirs' }).click()
      await page.getByRole('button', { name: 'Change chunks' }).click()
      // The page reads the zone again before editing; earlier saves are not reported as changes by others.
      await page.getByRole('heading', { name: 'Change Theirs' }).waitFor()
      const chunks = [
        { cx: 3, cz: 3 },
        { cx: 4, cz: 3 },
      ]
      await ask(server.url, `PUT /api/admin/instances/${made.body.id}/chunks`, { token, body: { chunks } })
      await page.getByText('Another admin changed this zone.').waitFor()
      await page.getByRole('button', { name: 'Use the saved version' }).click()
      await page.getByText('2 chunks.').waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await ask(server.url, `DELETE /api/admin/instances/${made.body.id}`, { token })
      await page.getByRole('button', { name: 'Theirs' }).waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'shows the history under the pointer, previews a rollback, and runs it',
    async () => {
      const { x, z } = ann.session.position()
      const at = { x: Math.floor(x) + 2, y: 64, z: Math.floor(z) }
      expect(await ann.session.edit([{ ...at, type: 'planks' }])).toMatchObject({ ok: true })
      await tab.show('map?world=default&tab=history', 'Map')
      const fields = { 'From x': at.x, 'To x': at.x, 'From z': at.z, 'To z': at.z }
      // All in one task of the page, as on a busy machine: no input is lost.
      await page.getByLabel('From x', { exact: true }).waitFor()
      const byName = { minX: at.x, maxX: at.x, minZ: at.z, maxZ: at.z }
      await page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(byName)})) {
        const field = document.querySelector('input[name=' + name + ']')
        field.value = value
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }`)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('Air → Planks').waitFor()
      await page.getByText(hostileName, { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'Follow the pointer' }).click()
      // By pointer, wherever the map is.
      await page.getByText('Air → Planks').waitFor({ state: 'detached' })
      // A field with the focus keeps its number while the pointer rests elsewhere, so that input is not changed.
      const field = page.getByLabel('From x', { exact: true })
      const other = page.getByLabel('To z', { exact: true })
      await field.focus()
      const shown = [await field.inputValue(), await other.inputValue()]
      const { x: left, y: top } = await middle()
      for (const clientX of [left + 40, left + 90]) {
        await map().dispatchEvent('pointermove', { pointerId: 1, clientX, clientY: top + 90, bubbles: true })
        await new Promise((resolve) => setTimeout(resolve, 600))
        expect([await field.inputValue(), await other.inputValue()]).toEqual(shown)
      }
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(String(value))
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('button', { name: `Only changes by ${hostileName}` }).click()
      await page.getByText('Roll back…').click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('1 block in 1 chunk to roll back.').waitFor()
      await page.getByRole('button', { name: 'Roll back 1 block' }).click()
      await page.getByText('done', { exact: true }).waitFor()
      await expect(ask(server.url, 'GET /api/admin/worlds/default/history', { token })).resolves.toMatchObject({
        body: { changes: [{ via: 'rollback', from: 'planks', to: 'air' }, { from: 'air' }] },
      })
    },
    slow,
  )

  it(
    'shows the history of the clicked block, and another world',
    async () => {
      const { x, y } = await middle()
      await page.mouse.click(x, y)
      await page.getByRole('button', { name: 'Follow the pointer' }).waitFor()
      await page.getByRole('combobox', { name: 'World' }).selectOption('other')
      await page.getByText('No zones yet.').waitFor()
      await page.getByText(/^This world is not running\./).waitFor()
      await page.getByRole('combobox', { name: 'World' }).selectOption('default')
      await page.getByText(/^This world is not running\./).waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'has a page for each zone: rules, members, hours, and snapshots with a preview',
    async () => {
      const { x, y, z } = ann.session.position()
      const chunks = [{ cx: Math.floor(x / 16), cz: Math.floor(z / 16) }]
      const made = await ask(server.url, 'POST /api/admin/instances', { token, body: { name: 'House', ...tall, chunks } })
      expect(made.status).toBe(201)
      const read = async () => (await ask(server.url, `GET /api/admin/instances/${made.body.id}`, { token })).body
      const dialog = page.getByRole('dialog')
      await tab.show(`map/${made.body.id}`, 'House')

      await page.getByRole('button', { name: 'Change rules' }).click()
      await dialog.getByRole('combobox', { name: 'Who can build' }).selectOption('everyone')
      await dialog.getByLabel('Greeting').fill(hostileName)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText(hostileName, { exact: true }).waitFor()
      expect(await read()).toMatchObject({ rules: { build: 'everyone', enter: 'everyone', greeting: hostileName } })

      await page.getByRole('button', { name: 'Add member' }).click()
      await dialog.getByLabel('Name, email or player ID').fill('nobody@example.com')
      await dialog.getByRole('button', { name: 'Add member' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Name, email or player ID').fill(hostileName)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${hostileName}` }).waitFor()
      expect((await read()).members).toHaveLength(1)

      const heir = await ask(server.url, 'POST /api/admin/users', {
        token,
        body: { email: 'heir@example.com', displayName: 'Heir', password: 'correct horse battery' },
      })
      await page.getByRole('button', { name: 'Change owner' }).click()
      await dialog.getByLabel('Name, email or player ID').fill('No such name')
      await page.keyboard.press('Enter')
      await dialog.getByText('No account has the name No such name.').waitFor()
      await dialog.getByLabel('Name, email or player ID').fill('heir')
      await page.keyboard.press('Enter')
      await page.getByText('Heir', { exact: true }).waitFor()
      expect((await read()).owner).toBe(heir.body.playerId)
      await ask(server.url, 'DELETE /api/admin/users/heir@example.com', { token })
      await page.reload()
      await page.getByText('Account deleted', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Change hours' }).click()
      await dialog.getByLabel('Delete on').fill('2099-01-02T10:30')
      await dialog.getByRole('button', { name: 'Add hours' }).click()
      await dialog.getByLabel('Sat').check()
      await dialog.getByLabel('Time zone').fill('Europe/Berlin')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(Date.parse(String((await read()).expiresAt))).toBe(new Date(2099, 0, 2, 10, 30).getTime())
      expect(await read()).toMatchObject({
        hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '18:00', to: '23:00' }],
        timeZone: 'Europe/Berlin',
      })
      await ask(server.url, `PUT /api/admin/instances/${made.body.id}/schedule`, { token, body: {} })
      await page.reload()

      const snapshotName = page.getByRole('textbox', { name: 'Name', exact: true })
      await snapshotName.fill('Before')
      await page.getByRole('button', { name: 'Take snapshot' }).click()
      await page.getByRole('cell', { name: 'Before', exact: true }).waitFor()
      const at = { x: Math.floor(x), y: Math.floor(y) + 3, z: Math.floor(z) }
      expect(await ann.session.edit([{ ...at, type: 'planks' }])).toMatchObject({ ok: true })
      await page.getByRole('button', { name: 'Restore…' }).click()
      await dialog.getByText('1 block differs and is restored').waitFor()
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await page.getByText('done', { exact: true }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Restore…' }).click()
      await dialog.getByText('Nothing to restore: the zone is unchanged.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Restore' }).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'zone.restore' }).waitFor()

      // Its reset stays, even though the list of snapshots has not loaded yet.
      const [snapshot] = JSON.parse((await ask(server.url, `GET /api/admin/instances/${made.body.id}/snapshots`, { token })).text)
      await page.getByRole('button', { name: 'Change hours' }).click()
      await dialog.getByLabel('Reset to snapshot').selectOption('Before')
      await dialog.getByLabel('At', { exact: true }).fill('05:30')
      await dialog.getByLabel('Time zone').last().fill('Europe/Berlin')
      // A page that still reloads after the save opens the dialog with the saved hours, not with those of before.
      const held: (() => Promise<void>)[] = []
      const zoneUrl = `**/api/admin/instances/${made.body.id}`
      await page.route(zoneUrl, (route) => void held.push(() => route.continue()))
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect((await read()).reset).toEqual({ snapshot: snapshot.id, every: 'day at 05:30 Europe/Berlin' })
      await page.getByRole('button', { name: 'Change hours' }).click()
      await waitFor(() => held.length > 0)
      expect(held).toHaveLength(1)
      await held[0]?.()
      await page.unroute(zoneUrl)
      expect(await dialog.getByLabel('At', { exact: true }).inputValue()).toBe('05:30')
      await dialog.getByLabel('How often').selectOption('Every few hours')
      await dialog.getByLabel('How many').fill('12')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect((await read()).reset).toEqual({ snapshot: snapshot.id, every: '12h' })
      const reset = { snapshot: snapshot.id, every: '1d' }
      const set = await ask(server.url, `PUT /api/admin/instances/${made.body.id}/schedule`, { token, body: { reset } })
      expect(set.status).toBe(200)
      await page.reload()
      await page.getByRole('cell', { name: 'Before', exact: true }).waitFor()
      await page.route('**/snapshots', () => undefined)
      await page.getByRole('button', { name: 'Change hours' }).click()
      await dialog.getByLabel('Delete on').fill('2098-01-02T10:30')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.unroute('**/snapshots')
      expect(await read()).toMatchObject({ reset, expiresAt: expect.stringMatching(/^2098/) })

      await tab.checkForEverybody(`map/${made.body.id}`, 'House')
      await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { level: 1, name: 'Map' }).waitFor()
    },
    slow,
  )

  it(
    'shows the blocks of a zone in 3D, builds, undoes, and shows edits of others at once',
    async () => {
      const { x, y, z } = ann.session.position()
      const chunks = [{ cx: Math.floor(x / 16), cz: Math.floor(z / 16) }]
      const made = await ask(server.url, 'POST /api/admin/instances', { token, body: { name: 'Hall', ...tall, chunks } })
      const at = { x: Math.floor(x), y: Math.floor(y) + 5, z: Math.floor(z) }
      const typeAt = async () => {
        const { text } = await ask(server.url, `GET /api/admin/instances/${made.body.id}/blocks`, { token })
        const lines = text
          .trim()
          .split('\n')
          .map((line): { x: number; y: number; z: number; type: string } => JSON.parse(line))
        return lines.find((one) => one.x === at.x && one.y === at.y && one.z === at.z)?.type ?? 'air'
      }
      await tab.show(`map/${made.body.id}`, 'Hall')
      await page.getByRole('link', { name: 'Edit in 3D' }).click()
      const scene = page.getByRole('application', { name: /^The zone in 3D/ })
      await page.getByText(/^1 of 1 chunk, [\d,]+ blocks\./).waitFor()
      await page.getByText(`Inside: ${hostileName}`).waitFor()

      // The scene shows land of more than one colour, not a blank surface.
      await waitFor(async () => varianceOf((await takePicture(page)).list(await boxOf(scene))) > 200)

      // By keyboard: coordinates, a kind, and back.
      for (const axis of ['x', 'y', 'z'] as const) {
        await page.getByLabel(axis, { exact: true }).fill(String(at[axis]))
        await page.getByLabel(axis, { exact: true }).press('Enter')
      }
      await page.getByText('Air.', { exact: true }).waitFor()
      await page.getByLabel(/^Find a block/).fill('glow')
      await page.getByRole('button', { name: 'Glowstone' }).press('Enter')
      await scene.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Glowstone.', { exact: true }).waitFor()
      await waitFor(async () => (await typeAt()) === 'glowstone')
      await page.keyboard.press('Control+z')
      await page.getByText('Air.', { exact: true }).waitFor()
      await waitFor(async () => (await typeAt()) === 'air')
      await page.keyboard.press('Control+y')
      await waitFor(async () => (await typeAt()) === 'glowstone')

      // Another user is faster: their edit stays.
      expect(await ann.session.edit([{ ...at, type: 'planks' }])).toMatchObject({ ok: true })
      await page.getByText('Planks.', { exact: true }).waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 block skipped').last().waitFor()
      expect(await typeAt()).toBe('planks')

      // By mouse: removes the block in the middle.
      await page.getByRole('button', { name: 'Break', exact: true }).first().click()
      const { x: left, y: top, width, height } = await boxOf(scene)
      await page.mouse.click(left + width / 2, top + height / 2)
      await waitFor(async () => (await typeAt()) === 'air')

      // A box from a marked corner to the cursor, undone in one step.
      await page.getByRole('button', { name: 'Mark a box corner' }).click()
      await page.getByLabel('y', { exact: true }).fill(String(at.y + 3))
      await page.getByLabel('y', { exact: true }).press('Enter')
      await page.getByRole('button', { name: /^Fill \d+ blocks$/ }).click()
      await page.getByText('Glowstone.', { exact: true }).waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Air.', { exact: true }).waitFor()

      // Layouts are saved only on request.
      await page.getByLabel('At a height').check()
      await page.getByLabel('Position of the y plane, as a number').fill('40')
      await page.getByLabel('Position of the y plane, as a number').press('Enter')
      await page.getByRole('button', { name: 'Save layout' }).click()
      await page.getByText('Layout saved.').waitFor()
      const kept = await ask(server.url, `GET /api/admin/instances/${made.body.id}`, { token })
      expect(kept.body).toMatchObject({ clipPlanes: { y: { enabled: true, pos: 40 } } })
      expect(JSON.stringify(kept.body.shortcutBarPages)).toContain('glowstone')
      await page.getByRole('button', { name: 'Place', exact: true }).last().click()
      await page.getByText('The cross-section hides that position.').waitFor()

      await tab.checkForEverybody(`map/${made.body.id}/blocks`, 'Hall in 3D', () => page.getByText(/^1 of 1 chunk/).waitFor())
      await tab.show(`map/${made.body.id}/blocks`, 'Hall in 3D')
      await ask(server.url, `DELETE /api/admin/instances/${made.body.id}`, { token })
      await page.getByText('The zone was deleted.').waitFor()
    },
    slow,
  )

  it(
    'is accessible: axe finds nothing, and 320 pixels are enough',
    async () => {
      await tab.checkForEverybody('map?world=default', 'Map')
      await tab.checkForEverybody('map?world=default&tab=history', 'Map')
    },
    slow,
  )

  it('violates no content policy, and throws no error', () => {
    expect(tab.faults).toEqual([])
  })
})
