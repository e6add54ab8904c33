import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { WebSocket } from 'ws'
import { startBots } from '../../sdk/testing/bots.ts'
import { ask } from '../../test/e2e/support/api.ts'
import { createStage, quickConfig } from '../../test/e2e/support/stage.ts'
import { openDrawingChromium } from '../../test/support/pages/drawing-chromium.ts'
import type { PlayPage } from '../../test/support/pages/play-page.ts'
import { createPlayPlayers } from '../../test/support/pages/play-players.ts'
import { waitFor } from '../../test/support/time/wait-for.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import {
  leaveOutDrawing,
  measurePictures,
  type Pictures,
  readMemory,
  slowDown,
  tracePictures,
  traceTasks,
  watchPage,
} from './page-watch.ts'

const viewRadius = 8
/** All columns except the outermost ring. */
const drawnColumns = (2 * (viewRadius - 1) + 1) ** 2
const flightMs = 20_000
const flightHeight = 120
const typingMs = 3_000
const crowd = 100
const crowdMs = 8_000
/** In blocks, over new land. */
const flownMin = 200
const email = 'bench@example.com'
const phone = { viewRadius: 4, timesSlower: 6, walkMs: 20_000 }
/** Thirty frames a second. */
const phonePictureMs = 33

const most = (figure: string, value: number, unit: string, limit: number): BenchResult => ({
  bench: 'play',
  figure,
  value: round(value, 1),
  unit,
  target: `at most ${limit}`,
  met: value <= limit,
})

const megabytes = 2 ** 20 / 1e6

const readCalls = (drawn: string): number => Number(/(\d+) calls/.exec(drawn)?.[1])

const waitForLand = (player: PlayPage) =>
  waitFor(async () => (await player.figures()).get('chunks')?.startsWith(`${drawnColumns} drawn`) === true, 120_000)

/** Flies over new land at full speed. */
const fly = async ({ page, place }: PlayPage, rise: () => Promise<void>): Promise<void> => {
  await page.keyboard.press('f')
  await rise()
  await waitFor(async () => ((await place())[1] ?? 0) > flightHeight - 1)
  await page.keyboard.down('ShiftLeft')
  await page.keyboard.down('w')
  await page.waitForTimeout(flightMs)
  await page.keyboard.up('w')
  await page.keyboard.up('ShiftLeft')
}

/** The 95th percentile of the main thread's cost per frame on a slow processor, during a run over new land. */
const measurePhone = async (browser: Browser, { page, play, place }: PlayPage): Promise<number> => {
  await play()
  await slowDown(page, phone.timesSlower)
  const from = await place()
  const pictures = await tracePictures(browser, async () => {
    // Jumps over obstacles.
    for (const key of ['ShiftLeft', 'w', 'Space']) await page.keyboard.down(key)
    await page.waitForTimeout(phone.walkMs)
    for (const key of ['ShiftLeft', 'w', 'Space']) await page.keyboard.up(key)
  })
  process.stderr.write(`as on a phone: ${pictures.length} pictures from ${from.join(' ')} to ${(await place()).join(' ')}\n`)
  const sorted = [...pictures].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
}

type Players = ReturnType<typeof createPlayPlayers>

/** Opens the game without drawing, by `leaveOutDrawing`. */
const openBlind = async (people: Players, email: string, radius: number): Promise<PlayPage> => {
  const player = await people.open({
    context: { deviceScaleFactor: 0.1 },
    settings: { viewRadius: radius, adapt: false, volume: 0, framesMax: 0 },
    before: async (page) => {
      await watchPage(page)
      await leaveOutDrawing(page)
    },
  })
  await player.signIn(email)
  return player
}

/**
 * Benchmarks the cost of a crowd per frame. Drawing is disabled, because software renders four frames a second: each frame would
 * include five ticks of the crowd, which no real player has.
 */
const measureCrowd = async (people: Players, url: string) => {
  const player = await openBlind(people, 'crowd@example.com', viewRadius)
  await player.play()
  await waitForLand(player)
  const measure = () => measurePictures(player.page, crowdMs)
  // Not counted, because code is slow until it is compiled.
  await measure()
  const before = await measure()
  const bots = await startBots({ url, count: crowd, WebSocket })
  await waitFor(async () => Number((await player.figures()).get('players')) >= crowd, 60_000)
  const crowded = await measure()
  await bots.stop()
  await waitFor(async () => (await player.figures()).get('players') === '0', 60_000)
  const after = await measure()
  const tell = ({ ms, aSecond }: Pictures): string => `${round(ms, 2)} ms at ${round(aSecond, 0)} a second`
  process.stderr.write(`a picture: ${tell(before)}, in a crowd ${tell(crowded)}, after it ${tell(after)}\n`)
  await people.leaveAll()
  return crowded.ms - (before.ms + after.ms) / 2
}

/**
 * Benchmarks the game in Chromium with software rendering: counts, and figures that do not depend on a graphics card. It cannot
 * show the frame rate of a machine with one, nor the cost of drawing on the main thread. On a slow processor, drawing is
 * disabled, because the page would wait for the software renderer. That figure is the page's main thread without its last step.
 */
const run = async (): Promise<readonly BenchResult[]> => {
  const stage = createStage()
  const browser = await openDrawingChromium({ isComplete: true })
  try {
    const dataDir = await stage.createEmptyDir()
    await mkdir(join(dataDir, 'config'))
    await writeFile(join(dataDir, 'config', 'server.yaml'), quickConfig)
    await stage.launch('tools/world.ts', ['create', 'default', '--seed', 'gatehouse'], { DATA_DIR: dataDir }).ended
    const server = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.claim(server)
    const people = createPlayPlayers(() => ({ browser, url: server.url, token }))
    const player = await people.open({
      // Few pixels, because a page waits for the software renderer, and that wait is not a task.
      context: { deviceScaleFactor: 0.1 },
      settings: { viewRadius, adapt: false, volume: 0, framesMax: 0 },
      before: watchPage,
    })
    const { page } = player
    // The time to type an address.
    await page.waitForTimeout(typingMs)
    const startedAt = performance.now()
    await player.signIn(email)
    await page.waitForSelector('.pause', { timeout: 60_000 })
    const firstGroundMs = performance.now() - startedAt
    const granted = await ask(server.url, `POST /api/admin/users/${email}/grants`, { token, body: { permission: 'world.fly' } })
    if (granted.status !== 201) throw new Error(`the grant answered ${granted.status} ${granted.text}`)
    await player.play()
    await waitForLand(player)
    const drawn = (await player.figures()).get('drawn') ?? ''
    const meshMs = Number.parseFloat((await player.figures()).get('mesher') ?? '')
    const memory = await readMemory(browser)
    const alone = await measurePictures(page, crowdMs)
    const bots = await startBots({ url: server.url, count: crowd, WebSocket })
    await waitFor(async () => Number((await player.figures()).get('players')) >= crowd, 60_000)
    const crowded = await measurePictures(page, crowdMs)
    await bots.stop()
    const [x = 0, , z = 0] = await player.place()
    const tasks = await traceTasks(browser, () => fly(player, () => people.teleport(email, { x, y: flightHeight, z })))
    const [farX = 0, , farZ = 0] = await player.place()
    const flown = Math.hypot(farX - x, farZ - z)
    if (tasks.length === 0 || flown < flownMin) throw new Error(`${tasks.length} tasks were seen, and ${flown} blocks flown`)
    await waitFor(async () => (await player.figures()).get('chunks')?.endsWith(' 0 waiting') === true, 60_000)
    const drawnFar = (await player.figures()).get('drawn') ?? ''
    const memoryFar = await readMemory(browser)
    await people.leaveAll()
    const withCrowd = await measureCrowd(people, server.url)
    const slow = await openBlind(people, 'phone@example.com', phone.viewRadius)
    const onPhone = await measurePhone(browser, slow)
    return [
      most('first ground after the sign-in, by who took three seconds to type', firstGroundMs, 'ms', 2000),
      most('draw calls at radius 8', readCalls(drawn), 'calls', 300),
      most('draw calls at radius 8 from above, after the flight', readCalls(drawnFar), 'calls', 300),
      most('mesher, mean of the last columns, with the machine drawing', meshMs, 'ms', 4),
      most('memory of the page and its workers at radius 8', memory * megabytes, 'MB', 250),
      most('the same after a crowd and the flight', memoryFar * megabytes, 'MB', 250),
      most(`what ${crowd} moving players add to a picture, of the processor, without drawing`, withCrowd, 'ms', 2),
      {
        bench: 'play',
        figure: 'the same where software draws four or five pictures a second',
        unit: 'ms',
        value: round(crowded.ms - alone.ms, 1),
      },
      most(
        'longest task while flying over new land for 20 s, of the processor',
        Math.max(0, ...tasks.map(({ busyMs }) => busyMs)),
        'ms',
        50,
      ),
      most(
        `a picture at radius ${phone.viewRadius} while running over new land, of a processor ${phone.timesSlower} times slower, 95th of a hundred, without drawing`,
        onPhone,
        'ms',
        phonePictureMs,
      ),
      {
        bench: 'play',
        figure: 'tasks that took over 50 ms meanwhile, with whatever else the machine did',
        unit: 'tasks',
        value: tasks.filter(({ passedMs }) => passedMs > 50).length,
      },
    ]
  } finally {
    await browser.close()
    await stage.close()
  }
}

export const play: Bench = { name: 'play', run }
