import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createCall } from '../../sdk/admin/call.ts'
import { signIn } from '../../sdk/sign-in/sign-in.ts'
import { type InstalledSdk, installSdk } from '../sdk/support/installed-sdk.ts'
import { type Pages, servePages } from '../sdk/support/serve-pages.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { findFreePort } from '../support/processes/free-port.ts'
import { startChild } from './support/child.ts'
import { administrator, createStage, quickConfig, type Server } from './support/stage.ts'

const stage = createStage()
let sdk: InstalledSdk
let server: Server
let variables: Record<string, string>
let freePort: number
let pages: Pages

beforeAll(async () => {
  sdk = await installSdk()
  sdk.addWs()
  sdk.addExamples()
  freePort = await findFreePort()
  pages = await servePages(sdk.folder)
  const config = quickConfig.replace('http: {', `http: { allowedOrigins: [${pages.origin}],`)
  variables = { DATA_DIR: await stage.createDataDir(config), PORT: String(await findFreePort()) }
  server = await stage.start(variables)
  await stage.claim(server)
}, 180_000)
afterAll(async () => {
  await stage.close()
  await pages.close()
  sdk.remove()
})

const startExample = (name: string, args: readonly string[]) =>
  stage.adopt(startChild(process.execPath, [join(sdk.folder, name), ...args]))

describe('the examples of the client library against a running server', () => {
  it('print nearby players, and continue by themselves after the server was killed and restarted', async () => {
    const ann = startExample('nearby.js', [server.url, 'ann@example.com'])
    const bob = startExample('nearby.js', [server.url, 'bob@example.com'])
    await ann.shows('live near: bob')
    await bob.shows('live near: ann')
    await server.kill()
    await ann.shows(/(waiting|resuming) near: bob/)
    const before = [ann.stdout().length, bob.stdout().length]
    server = await stage.start(variables)
    await ann.shows(new RegExp(`^[\\s\\S]{${before[0]},}live near: bob`), 150_000)
    await bob.shows(new RegExp(`^[\\s\\S]{${before[1]},}live near: ann`), 150_000)
    for (const one of [ann, bob]) {
      expect(one.stderr()).toBe('')
      await one.kill()
    }
  }, 180_000)

  it('walk, build and leave, and then exit by themselves', async () => {
    const bot = await sdk.run(['bot.js', server.url, administrator.email, administrator.password])
    expect(bot).toEqual({ code: 0, output: 'built\n', complaints: '' })
  }, 180_000)

  it('administer with types', async () => {
    const signedIn = [server.url, administrator.email, administrator.password]
    const added = await sdk.run(['admin.js', ...signedIn, 'new@example.com', 'a good password'])
    expect(added).toMatchObject({ code: 0, complaints: '', output: expect.stringMatching(/^new@example\.com player$/m) })
    const again = await sdk.run(['admin.js', ...signedIn, 'new@example.com', 'a good password'])
    expect(again).toMatchObject({ code: 1, output: '', complaints: expect.stringMatching(/^\/problems\/already-exists: /) })
  }, 180_000)

  it('follow a zone and build in it', async () => {
    const signedIn = [server.url, administrator.email, administrator.password]
    const me = await signIn({ url: server.url, email: administrator.email, password: administrator.password })
    const call = createCall(me)
    const body = { name: 'Town', yMin: 64, yMax: 80, chunks: [{ cx: 0, cz: 0 }] }
    const { body: zone } = await call('POST /api/admin/instances', { body })
    const feed = await sdk.run(['zone-feed.js', ...signedIn, zone.id])
    expect(feed).toEqual({
      code: 0,
      output: 'Town has 1 columns\nbuilt\nchanged 0 64 0 stone\nnow ended\n',
      complaints: '',
    })
    await call('DELETE /api/admin/instances/{id}', { params: { id: zone.id } })
    me.close()
  }, 180_000)

  it('watch a world from outside', async () => {
    const feed = startExample('world-feed.js', [server.url, administrator.email, administrator.password])
    await feed.shows('watching default')
    expect(feed.stderr()).toBe('')
    await feed.kill()
  }, 180_000)

  it.each([
    ['an address that is none', ['nonsense', 'a@example.com'], /"nonsense" is not an address/],
    [
      'a server that is away',
      [() => `http://127.0.0.1:${freePort}`, 'a@example.com'],
      /No server answers at \S+ Nothing listens there/,
    ],
    ['a host that does not exist', ['http://nowhere.invalid', 'a@example.com'], /The host name does not exist/],
    [
      'TLS where there is none',
      [() => server.url.replace('http:', 'https:'), 'a@example.com'],
      /Check that the server uses https/,
    ],
    ['an email that is none', [() => server.url, 'nobody'], /\/problems\/bad-request/],
  ])(
    'print the fault and the fix for %s',
    async (_, args, words) => {
      const values = args.map((arg) => (typeof arg === 'string' ? arg : arg()))
      const failed = await sdk.run(['nearby.js', ...values])
      expect(failed.complaints).toMatch(words)
      expect(failed.code).toBe(1)
    },
    180_000,
  )
})

describeBrowser('the page of the client library in Chromium', () => {
  let browser: Chromium
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  /** The example page, on another origin than the server. */
  const openPage = async () => {
    const page = await browser.context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${pages.origin}/page.html?server=${encodeURIComponent(server.url)}`)
    return { page, faults }
  }
  const enter = async (page: Page, email: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Enter' }).click()
  }

  it('shows nearby players, and continues by itself after the server was killed and restarted', async () => {
    const { page, faults } = await openPage()
    const other = startExample('nearby.js', [server.url, 'bob@example.com'])
    await enter(page, 'eve@example.com')
    await page.getByText('live').waitFor()
    await page.getByText('bob').waitFor()
    await other.shows(/near: .*eve/)

    await server.kill()
    await page.getByText(/waiting|resuming/).waitFor()
    // It is printed once a second, and a start may take less.
    await other.shows(/(waiting|resuming) near/)
    server = await stage.start(variables)
    await page.getByText('live').waitFor()
    await other.shows(/(waiting|resuming) near[\s\S]*live near: .*eve/, 150_000)
    expect(faults).toEqual([])
    await other.kill()
  }, 180_000)

  it('shows the reason of a refused sign-in', async () => {
    const { page, faults } = await openPage()
    await enter(page, `${'a'.repeat(250)}@example.com`)
    await page.getByRole('status').getByText('Bad request').waitFor()
    expect(faults).toEqual([])
  }, 180_000)
})
