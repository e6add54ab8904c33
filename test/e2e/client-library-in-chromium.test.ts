import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocketServer } from 'ws'
import { countOpen, listOpen, settle } from '../sdk/support/count-open.ts'
import { type InstalledSdk, installSdk } from '../sdk/support/installed-sdk.ts'
import { type Pages, servePages } from '../sdk/support/serve-pages.ts'
import { issuerPassword } from '../support/auth/issuer-client.ts'
import { type LoginIssuer, startLoginIssuer } from '../support/auth/login-issuer.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { findFreePort } from '../support/processes/free-port.ts'
import { oauthConfig, oauthSecret } from './support/oauth-config.ts'
import { administrator, createStage, quickConfig, type Server } from './support/stage.ts'

const nothingOpen = { timers: 0, sockets: 0, listeners: {}, faults: [] }

const importMap = JSON.stringify({
  imports: Object.fromEntries(
    ['client', 'admin', 'world'].map((name) => [`lib/${name}`, `./node_modules/gatehouse-client/dist/${name}.js`]),
  ),
})
const emptyPage = `<!doctype html><title>Empty</title><link rel="icon" href="data:,"><script type="importmap">${importMap}</script>`

describeBrowser('the client library in Chromium', () => {
  const stage = createStage()
  let browser: Chromium
  let sdk: InstalledSdk
  let pages: Pages
  let server: Server
  let zoneId: string

  beforeAll(async () => {
    sdk = await installSdk()
    sdk.write('empty.html', emptyPage)
    pages = await servePages(sdk.folder)
    browser = await openChromium()
    await browser.context.addInitScript({ content: countOpen })
    const config = quickConfig
      .replace('bcryptCost: 10', 'bcryptCost: 10, requirePassword: true')
      .replace('http: {', `http: { allowedOrigins: [${pages.origin}],`)
    server = await stage.start({ DATA_DIR: await stage.createDataDir(config) })
    await stage.claim(server)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await stage.close()
    await pages?.close()
    sdk?.remove()
  })

  const openPage = async (url = `${pages.origin}/empty.html`) => {
    const page = await browser.context.newPage()
    await page.goto(url)
    return page
  }
  /** Runs a program with the library and these values in a new page; returns its result and the open resources. */
  const run = async (program: string, values: Readonly<Record<string, unknown>> = {}) => {
    const page = await openPage()
    const given = JSON.stringify({ url: server.url, ...administrator, ...values })
    const answer: unknown = await page.evaluate(`(async () => {
      const lib = { ...(await import('lib/client')), ...(await import('lib/admin')), ...(await import('lib/world')) }
      const given = ${given}
      ${program}
    })()`)
    await settle(page)
    const open = await listOpen(page)
    await page.close()
    return { answer, open }
  }

  it('counts open resources of a page, so that a leak is detected', async () => {
    const page = await openPage()
    await page.evaluate(`
      window.addEventListener('online', () => undefined)
      setTimeout(() => undefined, 60_000)
      void Promise.reject(new Error('nobody looks'))
    `)
    await page.waitForFunction('listOpen().faults.length > 0')
    expect(await listOpen(page)).toMatchObject({ timers: 1, listeners: { online: 1 }, faults: ['Error: nobody looks'] })
    await page.close()
  }, 180_000)

  it('leaves no timer, socket or listener after it closes a resumed session', async () => {
    const { answer, open } = await run(`
      const me = await lib.signIn(given)
      const session = await lib.connect(me)
      const world = lib.watchWorld(session)
      const reach = (name) => new Promise((resolve) => session.on('state', (state) => state.name === name && resolve()))
      const during = window.listOpen()
      const live = reach('live')
      session.drop()
      await live
      await session.ping()
      await session.close()
      world.stop()
      me.close()
      return { during, state: session.state().name }
    `)
    expect(answer).toMatchObject({ state: 'ended', during: { sockets: 1, listeners: { online: 1, visibilitychange: 1 } } })
    expect(open).toMatchObject({ ...nothingOpen, socketsEver: 2 })
  }, 180_000)

  it('leaves nothing after it closes a session that waits to reconnect', async () => {
    const { open } = await run(`
      const me = await lib.signIn(given)
      const session = await lib.connect(me)
      session.drop()
      await session.close()
      me.close()
    `)
    expect(open).toMatchObject(nothingOpen)
  }, 180_000)

  it('follows and edits a zone by a subprotocol, reconnects, and leaves nothing after close', async () => {
    const { answer, open } = await run(`
      const me = await lib.signIn(given)
      const call = lib.createCall(me)
      const session = await lib.connect(me)
      const column = await new Promise((resolve) => session.on('chunk', resolve))
      const chunks = [{ cx: column.cx, cz: column.cz }]
      let zone
      for (let turn = 0; zone === undefined && turn < 1000; turn += 1) {
        zone = await call('POST /api/admin/instances', { body: { name: 'Town', yMin: 60, yMax: 80, chunks } }).then(({ body }) => body, () => undefined)
        if (zone === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const feed = await lib.openZoneFeed(me, zone.id)
      const block = { x: column.cx * 16, y: 70, z: column.cz * 16, type: 'stone' }
      const first = await feed.edit([block])
      const live = new Promise((resolve) => feed.on('state', (state) => state.name === 'live' && resolve()))
      feed.drop()
      await live
      const renewed = feed.events('renewed')
      await me.renew()
      await renewed.next()
      const second = await feed.edit([{ ...block, type: 'air' }])
      feed.close()
      await session.close()
      me.close()
      return { id: zone.id, oks: [first.ok, second.ok] }
    `)
    expect(answer).toMatchObject({ oks: [true, true] })
    expect(open).toMatchObject(nothingOpen)
    zoneId = (answer as { id: string }).id
  }, 180_000)

  it('gives the reason of a refused feed, which the browser hides', async () => {
    const { answer, open } = await run(
      `
      const boss = await lib.signIn(given)
      const account = { email: 'nobody@example.com', password: 'a good password' }
      await lib.createCall(boss)('POST /api/admin/users', { body: account })
      const nobody = await lib.signIn({ url: given.url, ...account })
      const types = []
      for (const [who, id] of [[nobody, given.zoneId], [boss, given.zoneId.slice(0, -4) + '0000']])
        await lib.openZoneFeed(who, id).catch((error) => types.push(error.name + ' ' + error.type))
      boss.close()
      nobody.close()
      return types
    `,
      { zoneId },
    )
    expect(answer).toEqual(['ProblemError /problems/missing-permission', 'ProblemError /problems/not-found'])
    expect(open).toMatchObject(nothingOpen)
  }, 180_000)

  it.each([
    ['an address that is none', { url: 'nonsense' }, 'GatehouseError invalid-address'],
    ['a wrong password', { password: 'not this one' }, 'ProblemError /problems/invalid-credentials'],
    ['a server that is away', { url: 'away' }, 'UnreachableError unreachable'],
    ['something else at the address', { url: 'pages' }, 'NotGatehouseError not-gatehouse'],
    ['TLS where there is none', { url: 'tls' }, 'UnreachableError unreachable'],
  ])(
    'ends in a named error for %s, without an unhandled rejection',
    async (_, wrong, named) => {
      const urls: Readonly<Record<string, string>> = {
        away: `http://127.0.0.1:${await findFreePort()}`,
        pages: pages.origin,
        tls: server.url.replace('http:', 'https:'),
      }
      const url = 'url' in wrong ? { url: urls[wrong.url] ?? wrong.url } : {}
      const program = `
      const error = await lib.signIn(given).catch((error) => error)
      return error.name + ' ' + error.type + (error.message.length > 20 ? '' : ' without words')
    `
      const { answer, open } = await run(program, { ...wrong, ...url })
      expect(answer).toBe(named)
      expect(open).toMatchObject(nothingOpen)
    },
    180_000,
  )

  it('ends in a named error for another protocol, garbage, and a socket that closes at once', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(sockets, 'listening')
    sockets.on('connection', (socket, { url = '' }) => {
      if (url.startsWith('/version')) socket.close(4002, 'protocol-version')
      else if (url.startsWith('/gone')) socket.close()
      else socket.send(url.startsWith('/text') ? 'garbage' : Buffer.from([0xff, 0xff, 0xff]))
    })
    const base = `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`
    const { answer, open } = await run(
      `
      const named = []
      for (const path of ['/version', '/bytes', '/text', '/gone'])
        await lib.connect({ url: given.base + path, token: () => 't', renew: async () => 't' }).catch((error) => named.push(error.name + ' ' + error.type))
      return named
    `,
      { base },
    )
    expect(answer).toEqual([
      'SessionEndedError protocol-version',
      'NotGatehouseError not-gatehouse',
      'NotGatehouseError not-gatehouse',
      expect.stringMatching(/^SessionEndedError /),
    ])
    expect(open).toMatchObject(nothingOpen)
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }, 180_000)

  it('takes the sign-in of a page that returns from an identity provider, once', async () => {
    const port = await findFreePort()
    const redirectUri = `http://127.0.0.1:${port}/auth/callback`
    const issuer: LoginIssuer = await startLoginIssuer([redirectUri])
    try {
      const config = oauthConfig(issuer.origin, redirectUri).replace('http://127.0.0.1/]', `http://127.0.0.1/, ${pages.origin}/]`)
      const allowed = config.includes('http: {')
        ? config.replace('http: {', `http: { allowedOrigins: [${pages.origin}],`)
        : config
      const oauth = await stage.start({ DATA_DIR: await stage.createDataDir(allowed), PORT: String(port), ...oauthSecret })
      const program = (url: string) => `<script type="module">
        import { leaveToSignIn, takeReturnedSignIn, connect } from 'lib/client'
        const me = await takeReturnedSignIn({ url: '${url}' })
        if (me === undefined) document.body.innerHTML = '<button>Enter</button>'
        document.querySelector('button')?.addEventListener('click', () => leaveToSignIn({ url: '${url}' }))
        if (me !== undefined) {
          const session = await connect(me)
          document.body.textContent = 'In as ' + session.welcome().displayName
          await session.close()
          me.close()
          document.body.dataset.closed = ''
        }
      </script><body>`
      sdk.write('sign-in.html', emptyPage + program(oauth.url))
      const page = await openPage(`${pages.origin}/sign-in.html?world=a`)
      await page.getByRole('button', { name: 'Enter' }).click()
      await page.getByLabel('Name').fill('boss')
      await page.getByLabel('Password').fill(issuerPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('In as Boss').waitFor()
      expect(page.url()).toBe(`${pages.origin}/sign-in.html?world=a`)
      await page.locator('body[data-closed]').waitFor({ state: 'attached' })
      await settle(page)
      expect(await listOpen(page)).toMatchObject({ ...nothingOpen, listeners: {} })
      await page.reload()
      await page.getByRole('button', { name: 'Enter' }).waitFor()
      await page.close()
    } finally {
      await issuer.stop()
    }
  }, 180_000)
})
