import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { ask } from '../e2e/support/api.ts'
import { administrator, createStage, type Server } from '../e2e/support/stage.ts'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { type PlayPage, waitForPage } from '../support/pages/play-page.ts'
import { createPlayPlayers } from '../support/pages/play-players.ts'

const slow = 180_000
const stage = createStage()
let browser: Browser
let server: Server
let token: string

const players = createPlayPlayers(() => ({ browser, url: server.url, token }))
const { open, enter, teleport, leaveAll, expectNoFaults } = players
/** Bob plays most cases in one page, because a page of the game is expensive. */
const bobs = createPlayPlayers(() => ({ browser, url: server.url, token }))
let knownBob: PlayPage | undefined
const enterBob = async (): Promise<PlayPage> => {
  knownBob ??= await bobs.enter('bob@example.com')
  await knownBob.resume()
  return knownBob
}
/** As the administrator. */
const order = async (what: string, body?: unknown): Promise<Record<string, unknown>> => {
  const answer = await ask(server.url, what, { token, body })
  expect([200, 201, 204]).toContain(answer.status)
  return answer.body
}
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const shows = (player: PlayPage, selector: string, text: string) =>
  player.page.locator(selector, { hasText: text }).first().waitFor({ timeout: 60_000 })

/** A module that refuses edits. Its command turns that on and off. */
const lawn = `import { defineModule } from 'gatehouse/module'
let isGuarded = false
const guard = { description: 'Guards the lawn.', forms: [[]], permission: 'none', run: () => { isGuarded = !isGuarded; return isGuarded ? 'Guarded.' : 'Open.' } }
export default defineModule({
  name: 'lawn',
  api: 1,
  commands: { guard },
  decide: { edit: () => (isGuarded ? { refuse: 'Keep off the grass.' } : undefined) },
})
`

describeBrowser('notifications of a player in the browser', () => {
  beforeAll(async () => {
    browser = await openDrawingChromium({ isComplete: true })
    const dataDir = await stage.createDataDir()
    await mkdir(join(dataDir, 'modules'))
    await writeFile(join(dataDir, 'modules', 'lawn.ts'), lawn)
    await stage.adduser(dataDir, ['ada@example.com', 'the password of ada', 'Ada Lovelace']).ended
    server = await stage.start({ DATA_DIR: dataDir })
    token = await stage.claim(server)
  }, slow)
  afterAll(async () => {
    await bobs.leaveAll()
    await browser.close()
    await stage.close()
  }, slow)
  afterEach(leaveAll)

  it(
    'show display names of accounts, and whispers between two players',
    async () => {
      const ada = await enter('ada@example.com')
      const bob = await enterBob()
      for (const [player, name] of [
        [ada, 'Ada Lovelace'],
        [bob, 'bob'],
      ] as const) {
        await player.page.keyboard.down('Tab')
        await shows(player, '.people li:has(small)', name)
        await player.page.keyboard.up('Tab')
      }
      await ada.page.keyboard.down('Tab')
      await ada.page.waitForSelector('.people li >> text=bob')
      expect(await ada.page.locator('.people').textContent()).not.toContain('example.com')
      await ada.page.keyboard.up('Tab')
      await bob.page.keyboard.press('/')
      await bob.page.waitForSelector('.entry input')
      await bob.page.keyboard.type('msg ad')
      await bob.page.keyboard.press('Tab')
      await bob.typed('/msg "Ada Lovelace" ')
      await bob.page.keyboard.type('come here')
      await bob.page.keyboard.press('Enter')
      await Promise.all([
        shows(ada, '.log .line.whisper', 'bob whispers: come here'),
        shows(bob, '.log .line.info', 'To Ada Lovelace: come here'),
      ])
      expectNoFaults(ada, bob)
    },
    slow,
  )

  it(
    'show announcements, warnings, a mute with its reason and end, and the end of a grant',
    async () => {
      const bob = await enterBob()
      // Both at once here and below, because toasts and lines of the log fade.
      await Promise.all([
        shows(bob, '.toast.announcement', 'The server restarts at nine.'),
        shows(bob, '.log .line.announcement', 'The server restarts at nine.'),
        order('POST /api/admin/announcements', { text: 'The server restarts at nine.' }),
      ])
      await order('POST /api/admin/sanctions', { kind: 'warning', email: 'bob@example.com', reason: 'no caps, please' })
      await shows(bob, '.toast.warning', 'Warning: no caps, please')
      const mute = { kind: 'mute', email: 'bob@example.com', reason: 'shouting', until: tomorrow() }
      const { id } = await order('POST /api/admin/sanctions', mute)
      await bob.say('can anybody hear me')
      await Promise.all([
        shows(bob, '.log .line.error', 'You are muted until'),
        shows(bob, '.toast.warning:has(span:has-text("shouting"))', 'You are muted until'),
      ])
      await order(`DELETE /api/admin/sanctions/${id}`)
      const until = new Date(Date.now() + 15_000).toISOString()
      await order('POST /api/admin/users/bob@example.com/grants', { permission: 'world.fly', until })
      await shows(bob, '.log .line.info', 'Your grant of world.fly has ended.')
      expectNoFaults(bob)
    },
    slow,
  )

  it(
    'greet at a zone, stop at the edge of a members-only one, and explain refusals to admins',
    async () => {
      await order('POST /api/admin/users/ada@example.com/grants', { permission: 'admin.users.read' })
      const ada = await enter('ada@example.com', {}, 'the password of ada')
      const [x = 0, y = 0, z = 0] = await ada.place()
      const here = { cx: Math.floor(x / 16), cz: Math.floor(z / 16) }
      const beside = { cx: here.cx + 1, cz: here.cz }
      const heights = { yMin: 50, yMax: 90 }
      const inn = await order('POST /api/admin/instances', { name: 'The Inn', ...heights, chunks: [here] })
      await shows(ada, '.toast.zone', 'Entering The Inn')
      await order(`PUT /api/admin/instances/${inn.id}/rules`, { greeting: 'Warm yourself.', farewell: 'Mind the step.' })
      const vault = await order('POST /api/admin/instances', { name: 'Vault', ...heights, chunks: [beside] })
      await order(`PUT /api/admin/instances/${vault.id}/rules`, { enter: 'members' })
      await teleport('ada@example.com', { x: here.cx * 16 + 8, y, z: here.cz * 16 - 3 })
      await shows(ada, '.toast.zone:has(span:has-text("Mind the step."))', 'Leaving The Inn')
      await teleport('ada@example.com', { x: here.cx * 16 + 13, y, z: here.cz * 16 + 8 })
      await shows(ada, '.toast.zone span', 'Warm yourself.')
      await waitForPage(async () => Math.abs(((await ada.place())[0] ?? 0) - (here.cx * 16 + 13)) < 1)
      await ada.turn(0, 700)
      await waitForPage(async () => (await ada.figures()).get('block') === 'grass')
      await ada.page.mouse.click(240, 135)
      await shows(ada, '.toast.refused', 'The Inn is protected. Only its builders can change it.')
      await ada.pause()
      await ada.page.click('.pause button:has-text("Why not?")')
      await shows(ada, '.why h2', 'The Inn is protected. Only its builders can change it.')
      await shows(ada, '.why .failed', 'Zone')
      await ada.page.click('.why .main')
      await ada.resume()
      await order(`PUT /api/admin/instances/${inn.id}/rules`, { build: 'members' })
      await ada.page.mouse.click(240, 135)
      await shows(ada, '.toast.refused', 'The Inn is protected. Only its members can change it.')
      await ada.turn(0, -700)
      const edge = beside.cx * 16
      // East is the initial direction; a key that is held longer leads to the edge.
      await ada.page.keyboard.down('w')
      await shows(ada, '.toast.refused', 'Only members can enter Vault.')
      await ada.page.keyboard.up('w')
      await waitForPage(async () => {
        const at = (await ada.place())[0] ?? 0
        return at < edge && at > edge - 4
      })
      for (const { id } of [inn, vault]) await order(`DELETE /api/admin/instances/${id}`)

      await ada.say('/guard')
      await shows(ada, '.log .line', 'Guarded.')
      await ada.turn(0, 700)
      await waitForPage(async () => (await ada.figures()).get('block') === 'grass')
      await ada.page.mouse.click(240, 135)
      await shows(ada, '.toast.refused', 'Keep off the grass.')
      await ada.pause()
      await ada.page.click('.pause button:has-text("Why not?")')
      await shows(ada, '.why h2', 'Keep off the grass.')
      await shows(ada, '.why .failed', 'Rules of modules')
      await shows(ada, '.why .failed', 'lawn: Keep off the grass.')
      await shows(ada, '.why p', 'Denied by module lawn: Keep off the grass.')
      await ada.page.click('.why .main')
      await ada.resume()
      await ada.say('/guard')
      await shows(ada, '.log .line', 'Open.')
      expectNoFaults(ada)
    },
    slow,
  )

  it(
    'complete groups and durations with the permission, and hide a password',
    async () => {
      const boss = await enter(administrator.email, {}, administrator.password)
      const bob = await enterBob()
      const type = async (text: string): Promise<void> => {
        await boss.page.keyboard.press('t')
        await boss.page.fill('.entry input', text)
      }
      await type('/grant bob bui')
      await shows(boss, '.completions', 'builder')
      await boss.page.keyboard.press('Tab')
      await boss.typed('/grant bob builder ')
      await boss.page.keyboard.type('15')
      await shows(boss, '.completions', '15 minutes')
      await boss.page.keyboard.press('ArrowDown')
      await boss.page.keyboard.press('Tab')
      await boss.typed('/grant bob builder 15m ')
      await boss.page.keyboard.press('Enter')
      await shows(boss, '.log .line.info', 'builder')
      await type('/adduser new@example.com "very secret" New')
      await boss.page.keyboard.press('Enter')
      await shows(boss, '.log .line.own', '/adduser new@example.com •••••• New')
      expect(await boss.page.locator('.log').textContent()).not.toContain('very secret')
      // Sent again, the dots would become the password.
      await boss.page.keyboard.press('t')
      await boss.page.waitForSelector('.entry input:focus')
      await boss.page.keyboard.press('ArrowUp')
      await boss.typed('/grant bob builder 15m')
      await boss.page.keyboard.press('Escape')
      expectNoFaults(boss, bob)
    },
    slow,
  )

  it(
    'name the author of a clicked block, and offer a rollback in the menu',
    async () => {
      await order('POST /api/admin/users/bob@example.com/grants', { permission: 'command.inspect' })
      const bob = await enterBob()
      // In the middle of a block; otherwise the neighbour is dug.
      await teleport('bob@example.com', { x: 4.5, y: 64, z: 4.5 })
      await waitForPage(async () => (await bob.place())[0] === 4.5)
      await bob.turn(0, 700)
      await waitForPage(async () => (await bob.figures()).get('block') === 'grass')
      await bob.page.mouse.click(240, 135)
      await waitForPage(async () => (await bob.figures()).get('block') === 'stone')
      await bob.page.keyboard.press('i')
      await bob.page.waitForSelector('.badge')
      await bob.page.mouse.click(240, 135, { button: 'right' })
      await shows(bob, '.log .line.info', 'bob: grass to air')
      expect((await bob.figures()).get('block')).toBe('stone')
      await bob.page.keyboard.press('i')
      await bob.page.waitForSelector('.badge', { state: 'detached' })
      await bob.page.mouse.click(240, 135)
      await waitForPage(async () => (await bob.place())[1] === 62)
      await bob.pause()
      await bob.page.click('.pause button:has-text("Undo my last change")')
      await shows(bob, '.log .line.info', '1 block is restored.')
      await waitForPage(async () => (await bob.figures()).get('block') === 'stone')
      expectNoFaults(bob)
    },
    slow,
  )

  it(
    'end the game on a second connection and on a kick, with a text for each',
    async () => {
      const here = await enter('ida@example.com')
      const there = await enter('ida@example.com')
      const ending = (player: PlayPage) => player.page.locator('.curtain[role=alert]')
      await ending(here).waitFor({ timeout: 60_000 })
      expect(await ending(here).textContent()).toContain('You are playing elsewhere')
      let playerId = ''
      await waitForPage(async () => {
        const { players: all } = await order('GET /api/admin/players')
        playerId = (all as { email: string; playerId: string }[]).find(({ email }) => email === 'ida@example.com')?.playerId ?? ''
        return playerId !== ''
      })
      await order(`POST /api/admin/players/${playerId}/kick`, { reason: 'time for supper' })
      await ending(there).waitFor({ timeout: 60_000 })
      expect(await ending(there).textContent()).toMatch(/You were kicked.*time for supper/)
      expectNoFaults(here, there)
    },
    slow,
  )

  it(
    'end the game with the reason and the end of a ban, also at sign-in',
    async () => {
      const eve = await enter('eve@example.com')
      const isLocked = () => eve.page.evaluate<boolean>('document.pointerLockElement !== null')
      await waitForPage(isLocked)
      await order('POST /api/admin/sanctions', { kind: 'ban', email: 'eve@example.com', reason: 'griefing', until: tomorrow() })
      const curtain = eve.page.locator('.curtain[role=alert]')
      await curtain.waitFor({ timeout: 60_000 })
      expect(await curtain.locator('h2').textContent()).toMatch(/^You are banned until .*\d/)
      expect(await curtain.locator('p').first().textContent()).toBe('griefing')
      // Its buttons need the mouse.
      await waitForPage(async () => !(await isLocked()))
      const again = await open()
      await again.signIn('eve@example.com')
      await shows(again, '.problem', 'griefing')
      expectNoFaults(eve)
    },
    slow,
  )
})
