import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { createStage, quickConfig, type Server } from '../e2e/support/stage.ts'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { createPlayPlayers } from '../support/pages/play-players.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../support/redis/redis.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 180_000
const stage = createStage()
let browser: Browser
let redis: RedisServer
let http: Server
let token: string
let variables: Record<string, string>
const { open, enter, teleport, leaveAll, expectNoFaults } = createPlayPlayers(() => ({ browser, url: http.url, token }))

describeBrowser('the game in the browser over a change of nodes', () => {
  describeOwnRedis('with Redis', () => {
    beforeAll(async () => {
      redis = await startRedis()
      const dataDir = await stage.createDataDir(`${quickConfig}realtime: { viewRadius: 3 }\n`)
      variables = { DATA_DIR: dataDir, REDIS_URL: redis.url, WORLD_STANDBY: 'true' }
      http = await stage.start(variables, 'infra/http.ts')
      token = await stage.claim(http)
      browser = await openDrawingChromium()
    }, slow)
    afterAll(async () => {
      await browser?.close()
      await stage.close()
      await redis?.stop()
    }, slow)
    afterEach(leaveAll)

    it(
      'continues at the same place, without a reload or a sign-in, after a hand-over',
      async () => {
        const first = await stage.start(variables, 'realtime/main.ts')
        const next = await stage.start(variables, 'realtime/main.ts')
        const ann = await enter('ann@example.com')
        await teleport('ann@example.com', { x: 5.5, y: 64, z: 7.5 })
        await waitFor(async () => (await ann.place())[0] === 5.5)
        await ann.page.evaluate('globalThis.isTheSamePage = true')
        const signIns: string[] = []
        ann.page.on('request', (request) => {
          if (request.url().includes('/auth/')) signIns.push(request.url())
        })
        const sockets: string[] = []
        ann.page.on('websocket', (socket) => sockets.push(socket.url()))
        first.signal('SIGTERM')
        await waitFor(() => sockets.length > 0)
        expect(sockets[0]).toBe(`${next.url.replace(/^http/, 'ws')}/realtime`)
        await ann.page.waitForSelector('.curtain', { state: 'detached', timeout: 60_000 })
        await ann.say('still here')
        await ann.page.waitForSelector('.log .line.chat >> text=still here', { timeout: 60_000 })
        const [x = 0, y = 0, z = 0] = await ann.place()
        expect([x, y, z]).toEqual([5.5, 64, 7.5])
        expect(await ann.page.evaluate('globalThis.isTheSamePage')).toBe(true)
        expect(signIns).toEqual([])
        expect(await first.ended).toBe(0)
        // Nodes publish their players once a second.
        const listEmails = async () =>
          ((await ask(http.url, 'GET /api/admin/players', { token })).body.players as { email: string }[]).map(
            ({ email }) => email,
          )
        await waitFor(async () => (await listEmails()).join() === 'ann@example.com')
        expectNoFaults(ann)
      },
      slow,
    )

    it(
      'offers the worlds at sign-in, returns to one after a reload, and changes it in the menu',
      async () => {
        await stage.start({ ...variables, GAME_WORLD_NAME: 'arena' }, 'realtime/main.ts')
        const bob = await open()
        const isIn = async (world: string) => {
          await bob.page.waitForSelector('.pause', { timeout: 60_000 })
          expect(await bob.page.inputValue('.pause select')).toBe(world)
        }
        await bob.page.selectOption('.door select', 'arena', { timeout: 60_000 })
        await bob.signIn('bob@example.com')
        await isIn('arena')
        await bob.page.reload()
        await isIn('arena')
        await bob.page.evaluate('globalThis.isTheSamePage = true')
        await bob.page.selectOption('.pause select', 'default')
        await waitFor(async () => (await bob.page.evaluate('globalThis.isTheSamePage').catch(() => true)) === undefined)
        await isIn('default')
        // A world without a node is reported, and another one is chosen.
        await bob.page.evaluate('sessionStorage["gatehouse.play.world"] = "atlantis"')
        await bob.page.reload()
        await bob.page.waitForSelector('.problem:has-text("The world atlantis is not running.")')
        await bob.signIn('bob@example.com')
        await bob.page.waitForSelector('.pause')
        expectNoFaults(bob)
      },
      slow,
    )
  })
})
