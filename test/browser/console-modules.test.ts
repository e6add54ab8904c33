import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { createStage, type Server } from '../e2e/support/stage.ts'
import { moduleText } from '../support/modules/node-with-modules.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { type ConsolePage, openConsolePage } from '../support/pages/console-page.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
const password = 'the password of mine'
const shop = `declare: { settings: Type.Object({ price: Type.Integer({ default: 5, minimum: 1, maximum: 90, description: 'Coins for an apple.' }) }), player: { schema: Type.Object({ coins: Type.Integer({ default: 7 }) }) } },
  decide: { edit: ({ changes }) => changes.some(({ to }) => to === 'glass') ? { refuse: 'No glass in this town.' } : undefined },
  commands: { coins: { description: 'Counts coins.', forms: [[]], permission: 'none', run: (caller) => String(caller?.data.coins) },
    pave: { description: 'Places a stone.', forms: [[]], permission: 'none', run: (caller, args, game) => {
      const { x, y, z } = caller.place
      const at = { x: Math.floor(x) + 2, y: Math.floor(y), z: Math.floor(z) }
      game.world.edit([{ ...at, type: 'stone' }], { settled: (reason) => caller.tell('paved ' + (reason ?? [at.x, at.y, at.z].join(' '))) })
      return ''
    } },
    price: { description: 'Says the price.', forms: [[]], permission: 'none', run: (caller, args, game) => String(game.settings.price) } }`

/** Slower than its own limit, but not for long enough to disturb others. */
const heavy = `budget: { tickMs: 0.1, keep: true }, on: { tick: () => { for (const end = performance.now() + 1; performance.now() < end; ); } }`

describeBrowser('modules in the console', () => {
  const stage = createStage()
  let browser: Chromium
  let server: Server
  let tab: ConsolePage
  let page: Page
  let folder: string
  let player: Awaited<ReturnType<typeof stage.join>>

  const write = (name: string, text: string) => writeFile(join(folder, `${name}.ts`), text)

  beforeAll(async () => {
    browser = await openChromium()
    const dataDir = await stage.createDataDir()
    folder = join(dataDir, 'modules')
    await mkdir(folder)
    await write('shop', moduleText('shop', shop))
    await write('heavy', moduleText('heavy', heavy))
    await write('broken', 'export default {')
    server = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.claim(server)
    const ann = { email: 'ann@example.com', password }
    await ask(server.url, 'POST /api/admin/users', { token, body: { ...ann, displayName: 'Ann', groups: ['player'] } })
    player = await stage.join(server.url, await stage.signIn(server.url, ann.email, password))
    tab = await openConsolePage({ browser, url: server.url, token })
    page = tab.page
  }, slow)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
  }, slow)

  let seq = 0
  /** What the player reads from the command of the module. */
  const countCoins = async () => {
    seq += 1
    player.command('/coins', seq)
    const { ok, text } = await player.next('commandResult')
    return ok ? text : ''
  }
  const priceOf = async () => {
    seq += 1
    player.command('/price', seq)
    const { ok, text } = await player.next('commandResult')
    return ok ? text : ''
  }
  const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  const show = async () => {
    await tab.show('modules', 'Modules')
    await rowOf('shop').waitFor()
  }
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for shop' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const openData = async () => {
    await choose('Player data…')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Player' }).fill('Ann')
    await dialog.getByRole('button', { name: 'Show data' }).click()
    const field = dialog.getByRole('textbox', { name: 'Data (JSON)' })
    await field.waitFor()
    return { dialog, field }
  }

  it(
    'lists modules with their state, time and last fault, and shows one with its handlers',
    async () => {
      await show()
      await rowOf('shop').getByText('running').waitFor()
      await rowOf('shop')
        .getByText(/^\d+\.\d\d ms/)
        .waitFor()
      await rowOf('shop').getByText('/coins').waitFor()
      await countCoins()
      await page.getByText('3 modules', { exact: true }).waitFor()
      await rowOf('broken').getByText('not loaded').waitFor()
      expect(await rowOf('broken').getByText(/ ms/).count()).toBe(0)
      await rowOf('heavy')
        .getByText(/^it takes \d+\.\d ms per tick, more than 0\.1 ms$/)
        .waitFor()
      await rowOf('broken')
        .getByText(/^broken\.ts:1:\d+$/)
        .waitFor()
      await rowOf('shop').getByRole('link', { name: 'shop' }).click()
      await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor()
      await page.getByRole('row', { name: /^commands\.coins \d+ \d+\.\d\d ms \d+\.\d\d ms$/ }).waitFor()
      await page.getByText('/coins /pave /price').waitFor()
      await page.getByRole('link', { name: 'Settings', exact: true }).last().waitFor()
      await page.getByRole('link', { name: 'All modules' }).click()
      await rowOf('broken').waitFor()
      await tab.show('modules/none', 'none')
      await page.getByText('The server has no module of this name.').waitFor()
    },
    slow,
  )

  it(
    'shows in “Check access” what the modules say about a block',
    async () => {
      await tab.show('people/ann%40example.com', 'Ann')
      await page.getByLabel('Permission or command').fill('world.build')
      await page.getByLabel('Position').fill('2 80 2')
      const block = page.getByLabel('Block')
      const check = page.getByRole('button', { name: 'Check', exact: true })
      const ofModules = page.getByRole('listitem').filter({ hasText: 'Rules of modules' })
      await block.fill('glass')
      await check.click()
      await page.getByText('Denied by module shop: No glass in this town.').waitFor()
      await ofModules.getByText('shop: No glass in this town.').waitFor()
      await block.fill('stone')
      await check.click()
      await page.getByText('Allowed:').waitFor()
      await ofModules.getByText('shop: It allows this.').waitFor()
      await block.fill('glas')
      await check.click()
      await page.getByRole('alert').getByText('must be a block type of blocks.yaml').waitFor()
    },
    slow,
  )

  it(
    'shows file, line and column of a mistake after a reload, and keeps the old version',
    async () => {
      await show()
      const faulty = moduleText('shop', `${shop},\n  on: { joined: ( => 1 }`)
      await write('shop', faulty)
      await choose('Reload')
      const place = /^shop\.ts:\d+:\d+$/
      await page.getByRole('alert').getByText(place).waitFor()
      await rowOf('shop').getByText(place).waitFor()
      await rowOf('shop').getByText('running').waitFor()
      expect(await countCoins()).toBe('7')
      await write('shop', moduleText('shop', shop))
      await choose('Reload')
      await page.getByText('Reloaded shop.').waitFor()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      await rowOf('shop').getByText(place).waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'turns a module off after a confirmation, and on again',
    async () => {
      await show()
      await choose('Turn off…')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Turn off' }).click()
      await dialog.waitFor({ state: 'detached' })
      await rowOf('shop').getByText('disabled').waitFor()
      expect(await countCoins()).toBe('')
      await choose('Turn on')
      await rowOf('shop').getByText('running').waitFor()
      expect(await countCoins()).toBe('7')
    },
    slow,
  )

  it(
    'changes the data of a connected player, and undoes that',
    async () => {
      await show()
      const { dialog, field } = await openData()
      await waitFor(async () => JSON.parse(await field.inputValue()).coins === 7)
      const save = dialog.getByRole('button', { name: 'Save data' })
      await field.fill('{ "coins": ')
      await save.click()
      await dialog.getByRole('alert').getByText('The data is not valid JSON.').waitFor()
      await field.fill('{ "coins": 70 }')
      await save.click()
      await page.getByText('Player data saved.').waitFor()
      await waitFor(async () => (await countCoins()) === '70', undefined, 200)
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitFor(async () => (await countCoins()) === '7', undefined, 200)
      const again = await openData()
      await waitFor(async () => JSON.parse(await again.field.inputValue()).coins === 7)
      await page.keyboard.press('Escape')
      await again.dialog.waitFor({ state: 'detached' })
    },
    slow,
  )

  it(
    'edits the settings of a module as a form, with the text beside it',
    async () => {
      await show()
      await choose('Settings')
      const price = page.getByRole('textbox', { name: 'Price' })
      await price.waitFor()
      await page.getByText('Coins for an apple.').waitFor()
      await price.fill('8')
      await page
        .getByRole('textbox', { name: 'modules.yaml' })
        .getByText(/price: 8/)
        .waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await waitFor(async () => (await priceOf()) === '8', undefined, 200)
    },
    slow,
  )

  it(
    'limits the history of the map and its rollback to a module',
    async () => {
      let paved: readonly string[] = []
      await waitFor(
        async () => {
          player.command('/pave', 90)
          for (;;) {
            const text = String((await player.next('notice')).text)
            if (!text.startsWith('paved ')) continue
            paved = text.split(' ').slice(1)
            return paved.length === 3
          }
        },
        slow,
        200,
      )
      const [x = '', , z = ''] = paved
      await tab.show('map?world=default&tab=history', 'Map')
      for (const [label, value] of Object.entries({ 'From x': x, 'To x': x, 'From z': z, 'To z': z }))
        await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('button', { name: 'Only changes by shop' }).click()
      await page.getByText('Roll back…').click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Roll back 1 block' }).click()
      await page.getByText('done', { exact: true }).waitFor()
    },
    slow,
  )

  it(
    'shows values that a new schema cannot read, with the reason',
    async () => {
      await write('shop', moduleText('shop', shop.replace('Type.Integer({ default: 7 })', "Type.String({ default: 'none' })")))
      await show()
      await choose('Reload')
      await page.getByRole('button', { name: 'Reload anyway' }).click()
      await tab.show('modules/shop', 'shop')
      await page.getByRole('heading', { name: 'Values set aside' }).waitFor()
      await page.getByRole('row', { name: /^Player .* \/coins must be text .*\{"coins":\d+\}/ }).waitFor()
    },
    slow,
  )

  it(
    'shows modules and player data accessibly: axe finds nothing, and 320 pixels are enough',
    async () => {
      await tab.checkForEverybody('modules', 'Modules', () => rowOf('shop').waitFor())
      await tab.checkForEverybody('modules', 'Modules', async () => {
        await rowOf('shop').waitFor()
        await openData()
      })
      await tab.checkForEverybody('modules/shop', 'shop')
    },
    slow,
  )

  it('violates no content policy, and throws no error', () => {
    expect(tab.faults).toEqual([])
  })
})
