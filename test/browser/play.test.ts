import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { createStage, type Server } from '../e2e/support/stage.ts'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openCutProxy } from '../support/pages/cut-proxy.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { countChanged, distance, meanColour, type Picture, type Rgb, takePicture, varianceOf } from '../support/pages/picture.ts'
import { createPlayPlayers } from '../support/pages/play-players.ts'
import { waitFor } from '../support/time/wait-for.ts'

const slow = 120_000
const grass: Rgb = [0x5f, 0x9e, 0x35]
const stage = createStage()
let browser: Browser
let server: Server
let token: string
const { open, enter, teleport, leaveAll, expectNoFaults } = createPlayPlayers(() => ({ browser, url: server.url, token }))
/** Below the crosshair, above the blocks at hand, away from figures and lines. */
const below = { x: 250, y: 150, width: 60, height: 40 }
const isGrass = (picture: Picture): boolean => distance(meanColour(picture.list(below)), grass) < 26
const shareOf = (picture: Picture, isIt: (pixel: Rgb) => boolean): number => {
  const pixels = picture.list({ x: 120, y: 20, width: 240, height: 190 })
  return pixels.filter(isIt).length / pixels.length
}
const isRed = ([red, green, blue]: Rgb): boolean => red > 70 && red > green * 2.2 && red > blue * 2.2

describeBrowser('the game in the browser', () => {
  beforeAll(async () => {
    browser = await openDrawingChromium()
    const dataDir = await stage.createDataDir()
    await stage.adduser(dataDir, ['markup@example.com', 'a password of mine', '<b>Mark</b><img src=x>']).ended
    server = await stage.start({ DATA_DIR: dataDir })
    token = await stage.claim(server)
  }, slow)
  afterAll(async () => {
    await browser.close()
    await stage.close()
  }, slow)

  afterEach(leaveAll)

  it(
    'leads from the bare address to a sign-in that asks for an email alone, and shows the ground',
    async () => {
      const ann = await open()
      await ann.page.goto(server.url)
      expect(ann.page.url()).toBe(`${server.url}/play`)
      await ann.page.waitForSelector('input[type=email]')
      expect(await ann.page.locator('input[type=password]').isVisible()).toBe(false)
      await ann.signIn('ann@example.com')
      await ann.play()
      await ann.turn(0, 800)
      await waitFor(async () => isGrass(await takePicture(ann.page)))
      await ann.turn(0, -620)
      await waitFor(
        async () => varianceOf((await takePicture(ann.page)).list({ x: 130, y: 20, width: 220, height: 180 })) > 100,
        20_000,
      )
      const drawn = (await ann.figures()).get('drawn') ?? ''
      expect(Number(/(\d+) triangles/.exec(drawn)?.[1])).toBeGreaterThan(1000)
      await ann.page.reload()
      await ann.page.waitForSelector('.pause', { timeout: 60_000 })
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'is dark by night, and lets a player have noon instead',
    async () => {
      const ann = await enter('ann@example.com', { settings: { daylight: 'night' } })
      await ann.turn(0, 800)
      const mean = async () => meanColour((await takePicture(ann.page)).list(below))
      const isNight = ([red, green, blue]: Rgb): boolean => green > red && green < 110 && blue > 25
      await waitFor(async () => isNight(await mean()))
      await ann.page.evaluate('document.exitPointerLock()')
      await ann.page.click('.pause button:has-text("Settings")')
      const licences = await ann.page.getAttribute('.settings a', 'href')
      expect(await (await fetch(licences ?? '')).text()).toContain('three.js authors')
      await ann.page.selectOption('.settings select', 'noon')
      await ann.page.click('.settings .main')
      await ann.page.click('.pause .main')
      await ann.page.waitForSelector('.crosshair')
      await waitFor(async () => isGrass(await takePicture(ann.page)))
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'lets two see each other come and go, with names',
    async () => {
      const ann = await enter('ann@example.com')
      const bob = await enter('bob@example.com')
      await waitFor(async () => (await ann.figures()).get('people') === '1')
      await ann.page.keyboard.down('Tab')
      await ann.page.waitForSelector('.people >> text=bob')
      await ann.page.keyboard.up('Tab')
      const start = await bob.place()
      const before = await takePicture(bob.page)
      // Ann walks ahead of Bob, who looks the same way.
      await ann.holdUntil('w', async () => ((await ann.place())[0] ?? 0) > (start[0] ?? 0) + 3)
      const figure = { x: 190, y: 120, width: 100, height: 80 }
      await waitFor(async () => countChanged(before, await takePicture(bob.page), figure) > 150)
      const there = await takePicture(bob.page)
      await ann.holdUntil('d', async () => ((await ann.place())[2] ?? 0) > (start[2] ?? 0) + 4)
      await waitFor(async () => countChanged(there, await takePicture(bob.page), figure) > 150)
      expectNoFaults(ann, bob)
    },
    slow,
  )

  it(
    'shows what one says to the other, and takes names and words as text',
    async () => {
      const mark = await enter('markup@example.com')
      const bob = await enter('bob@example.com')
      const text = '<img src=x onerror="document.title=1"><b>hello</b> &amp; [a](javascript:1)'
      await mark.say(text)
      const line = bob.page.locator('.log .line.chat', { hasText: 'hello' })
      await line.waitFor()
      expect(await line.locator('span').textContent()).toBe(text)
      expect(await line.locator('b').textContent()).toBe('<b>Mark</b><img src=x>')
      expect(await bob.page.locator('.log img, .log span b').count()).toBe(0)
      await bob.page.keyboard.down('Tab')
      await bob.page.waitForSelector('.people li:has-text("<b>Mark</b>")')
      expect(await bob.page.locator('.people img').count()).toBe(0)
      await bob.page.keyboard.up('Tab')
      expectNoFaults(mark, bob)
    },
    slow,
  )

  it(
    'completes commands by what the server told, and shows the answer',
    async () => {
      const bob = await enter('bob@example.com')
      await bob.page.keyboard.press('/')
      await bob.page.waitForSelector('.entry input')
      await bob.page.keyboard.type('wh')
      await bob.page.waitForSelector('.completions >> text=/who')
      await bob.page.keyboard.press('Tab')
      expect(await bob.page.inputValue('.entry input')).toBe('/who ')
      await bob.page.keyboard.press('Enter')
      await bob.page.waitForSelector('.log .line.info >> text=bob')
      expectNoFaults(bob)
    },
    slow,
  )

  it(
    'builds: who does sees it at once, the other soon, and both when it is broken again',
    async () => {
      const hotbar = Array.from({ length: 9 }, () => 'red_wool')
      const ann = await enter('mason@example.com', { settings: { hotbar } })
      const bob = await enter('watcher@example.com')
      const [x = 0, y = 0, z = 0] = await bob.place()
      // Out of the way, or nobody could build there.
      await teleport('mason@example.com', { x, y, z: z + 1.5 })
      await waitFor(async () => ((await ann.place())[2] ?? 0) > z + 1)
      await ann.turn(-100, 230)
      await bob.turn(0, 230)
      const empty = shareOf(await takePicture(bob.page), isRed)
      expect(empty).toBeLessThan(0.002)
      await ann.page.mouse.click(240, 135, { button: 'right' })
      await waitFor(async () => shareOf(await takePicture(ann.page), isRed) > 0.01)
      await waitFor(async () => shareOf(await takePicture(bob.page), isRed) > 0.01)
      await ann.page.mouse.click(240, 135)
      for (const one of [ann, bob]) await waitFor(async () => shareOf(await takePicture(one.page), isRed) < 0.002)
      expectNoFaults(ann, bob)
    },
    slow,
  )

  it(
    'says why a zone refuses, and takes back what was shown',
    async () => {
      const bob = await enter('guest@example.com')
      await bob.turn(0, 700)
      const made = await ask(server.url, 'POST /api/admin/instances', {
        token,
        body: { name: '<i>Arena</i>', yMin: 50, yMax: 90, chunks: [-1, 0].flatMap((cx) => [-1, 0].map((cz) => ({ cx, cz }))) },
      })
      expect(made.status).toBe(201)
      await bob.page.waitForSelector('.toast.zone:has-text("You enter <i>Arena</i>")')
      await bob.page.waitForSelector('.zone:has-text("<i>Arena</i>")')
      await waitFor(async () => isGrass(await takePicture(bob.page)))
      await bob.page.mouse.click(240, 135)
      const refusal = bob.page.locator('.toast.refused')
      await refusal.waitFor()
      expect(await refusal.textContent()).toBe('You may not build here: that needs zone.build in zone "<i>Arena</i>".')
      await waitFor(async () => isGrass(await takePicture(bob.page)))
      expect((await bob.figures()).get('block')).toBe('grass')
      const gone = await ask(server.url, `DELETE /api/admin/instances/${made.body.id}`, { token })
      expect(gone.status).toBe(204)
      await bob.page.waitForSelector('.toast.zone:has-text("You leave <i>Arena</i>")')
      expectNoFaults(bob)
    },
    slow,
  )

  it(
    'comes back by itself at the same place when the line was cut',
    async () => {
      const line = await openCutProxy(server.url)
      try {
        const ann = await enter('ann@example.com', { url: line.url })
        await ann.turn(375, 0)
        await ann.holdUntil('w', async () => Math.abs((await ann.place())[2] ?? 0) > 3)
        const before = await ann.place()
        line.cut()
        await ann.page.waitForSelector('.curtain.veil:has-text("The connection was lost")', { timeout: 20_000 })
        line.mend()
        await ann.page.waitForSelector('.curtain', { state: 'detached', timeout: 30_000 })
        await waitFor(async () => (await ann.place()).every((part, at) => Math.abs(part - (before[at] ?? 0)) < 1))
        await ann.say('back again')
        await ann.page.waitForSelector('.log .line.chat >> text=back again')
        expectNoFaults(ann)
      } finally {
        await line.close()
      }
    },
    slow,
  )

  it(
    'ends with words when a server says what is not of the protocol',
    async () => {
      const ann = await open({
        before: (page) =>
          page.routeWebSocket('**/realtime', (socket) => {
            const onward = socket.connectToServer()
            onward.onMessage((message) => {
              socket.send(message)
              setTimeout(() => socket.send(Buffer.from([0xff, 0xff, 0xff, 0xff])), 1_000)
            })
          }),
      })
      await ann.signIn('ann@example.com')
      const curtain = ann.page.locator('.curtain[role=alert]')
      await curtain.waitFor({ timeout: 30_000 })
      expect(await curtain.textContent()).toMatch(/not of the protocol/)
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'says so where the browser cannot draw',
    async () => {
      const ann = await open({
        before: (page) =>
          page.addInitScript(
            'const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, options) { return kind.startsWith("webgl") ? null : get.call(this, kind, options) }',
          ),
      })
      await ann.signIn('ann@example.com')
      const curtain = ann.page.locator('.curtain[role=alert]')
      await curtain.waitFor({ timeout: 30_000 })
      expect(await curtain.textContent()).toMatch(/no WebGL 2/)
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'plays on by dragging where the mouse is not given away',
    async () => {
      const ann = await open({
        before: (page) =>
          page.addInitScript(
            'Element.prototype.requestPointerLock = () => Promise.reject(new DOMException("no", "SecurityError"))',
          ),
      })
      await ann.signIn('ann@example.com')
      await ann.play()
      await ann.page.mouse.move(240, 135)
      await ann.page.mouse.down()
      await ann.page.mouse.move(340, 135, { steps: 4 })
      await ann.page.mouse.up()
      await waitFor(async () => (await ann.figures()).get('facing') !== 'E 0°')
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'comes back when the graphics card was away',
    async () => {
      const ann = await enter('ann@example.com')
      await ann.turn(0, 800)
      await waitFor(async () => isGrass(await takePicture(ann.page)))
      await ann.page.evaluate(
        '(() => { const gl = document.querySelector(".picture").getContext("webgl2").getExtension("WEBGL_lose_context"); gl.loseContext(); setTimeout(() => gl.restoreContext(), 500) })()',
      )
      await ann.page.waitForSelector('.toast:has-text("The picture is back.")')
      await waitFor(async () => isGrass(await takePicture(ann.page)))
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'is walked, looked around and built in by two thumbs on a phone',
    async () => {
      const hotbar = Array.from({ length: 9 }, () => 'red_wool')
      const ann = await open({
        context: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } },
        settings: { hotbar, viewRadius: 2 },
      })
      await ann.signIn('thumbs@example.com')
      await ann.page.tap('.pause .main', { timeout: 60_000 })
      await ann.page.waitForSelector('.touch .corner')
      await ann.page.keyboard.press('F3')
      await waitFor(async () => (await ann.place()).length === 3)
      const start = await ann.place()
      const touch = await ann.context.newCDPSession(ann.page)
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly { x: number; y: number; id: number }[]) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] })
      const far = async (): Promise<number> => {
        const [x = 0, , z = 0] = await ann.place()
        return Math.hypot(x - (start[0] ?? 0), z - (start[2] ?? 0))
      }
      await send('touchStart', [{ x: 80, y: 500, id: 1 }])
      await send('touchMove', [{ x: 80, y: 430, id: 1 }])
      await ann.page.waitForSelector('.stick')
      await waitFor(async () => (await far()) > 1)
      await send('touchEnd', [])
      await ann.page.waitForSelector('.stick', { state: 'detached' })
      // In the middle of a block, looking down at the one ahead.
      await teleport('thumbs@example.com', { x: 8.5, y: 64, z: 8.5 })
      await waitFor(async () => (await ann.place())[0] === 8.5)
      const facing = (await ann.figures()).get('facing')
      await send('touchStart', [{ x: 300, y: 300, id: 2 }])
      for (const y of [340, 400, 460]) await send('touchMove', [{ x: 280, y, id: 2 }])
      await send('touchEnd', [])
      await waitFor(async () => (await ann.figures()).get('facing') !== facing)
      // A finger that began slowly was a hold, and has broken something.
      await waitFor(async () => (await ann.figures()).get('block') !== '–')
      // A finger that is lifted late was no tap: an event of our own knows when.
      const tap = `(() => {
        const canvas = document.querySelector('.picture')
        const at = { pointerType: 'touch', pointerId: 7, clientX: 300, clientY: 300, bubbles: true }
        canvas.setPointerCapture = () => undefined
        canvas.dispatchEvent(new PointerEvent('pointerdown', at))
        canvas.dispatchEvent(new PointerEvent('pointerup', at))
      })()`
      await ann.page.evaluate(tap)
      await waitFor(async () => (await ann.figures()).get('block') === 'red_wool')
      await send('touchStart', [{ x: 300, y: 300, id: 3 }])
      await waitFor(async () => (await ann.figures()).get('block') !== 'red_wool')
      await send('touchEnd', [])
      expectNoFaults(ann)
    },
    slow,
  )

  it(
    'flies with world.fly, and comes down where that is taken away',
    async () => {
      const email = 'pilot@example.com'
      const pilot = await enter(email)
      const height = async () => (await pilot.place())[1] ?? 0
      await pilot.page.keyboard.press('f')
      await pilot.page.waitForSelector('.toast:has-text("You may not fly here")')
      const { body } = await ask(server.url, `POST /api/admin/users/${email}/grants`, {
        token,
        body: { permission: 'world.fly' },
      })
      await pilot.page.waitForSelector('.toast:has-text("You may fly now.")', { timeout: 40_000 })
      await pilot.page.keyboard.press('f')
      await teleport(email, { x: 8.5, y: 90, z: 8.5 })
      await waitFor(async () => (await height()) === 90)
      await pilot.holdUntil('Space', async () => (await height()) > 92)
      const stays = await height()
      await pilot.say('it holds')
      await pilot.page.waitForSelector('.log .line.chat >> text=it holds')
      expect(await height()).toBeGreaterThanOrEqual(stays)
      const ended = await ask(server.url, `DELETE /api/admin/users/${email}/grants/${body.id}`, { token })
      expect(ended.status).toBe(204)
      await waitFor(async () => (await height()) === 64)
      expectNoFaults(pilot)
    },
    slow,
  )

  it(
    'has a policy that refuses inline script, eval and requests to elsewhere',
    async () => {
      const ann = await open()
      const refused = (code: string) =>
        ann.page.evaluate(`(() => { try { ${code}; return 'done' } catch (error) { return error.name } })()`)
      expect(await refused('document.body.innerHTML = "<b>no</b>"')).toBe('TypeError')
      expect(await refused('new Worker("/pages/x.js")')).toBe('TypeError')
      const elsewhere = await ann.page.evaluate('fetch("http://127.0.0.1:1/").then(() => "done", () => "refused")')
      expect(elsewhere).toBe('refused')
      expect(ann.faults.length).toBeGreaterThan(0)
    },
    slow,
  )

  it(
    'asks for a password where one is needed, and says when it is wrong',
    async () => {
      const dataDir = await stage.createDataDir('auth: { local: { bcryptCost: 10, requirePassword: true } }\n')
      await stage.adduser(dataDir, ['cat@example.com', 'the password of cat', 'Cat']).ended
      const strict = await stage.start({ DATA_DIR: dataDir })
      const cat = await open({ url: strict.url })
      await cat.signIn('cat@example.com', 'not the password')
      await cat.page.waitForSelector('.problem:has-text("password")')
      await cat.signIn('cat@example.com', 'the password of cat')
      await cat.play()
      expectNoFaults(cat)
    },
    slow,
  )
})
