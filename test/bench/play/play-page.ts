import { readFileSync } from 'node:fs'
import { createStage } from '../../e2e/support/stage.ts'
import { openDrawingChromium } from '../../support/pages/drawing-chromium.ts'
import { openPlayPage } from '../../support/pages/play-page.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Bench, type BenchResult, round } from '../result.ts'

const viewRadius = 8
/** All but the outermost ring. */
const drawnColumns = (2 * (viewRadius - 1) + 1) ** 2
const walkMs = 10_000

const watchLongTasks = `
globalThis.longTasks = []
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(duration) }).observe({ type: 'longtask', buffered: true })`

const residentMb = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

const most = (figure: string, value: number, unit: string, limit: number): BenchResult => ({
  bench: 'play-page',
  figure,
  value: round(value, 1),
  unit,
  target: `at most ${limit}`,
  met: value <= limit,
})

/** The game in Chromium, drawn by the processor: counts, and what does not hang on a graphics card. Frames a second are of no use here. */
const run = async (): Promise<readonly BenchResult[]> => {
  const stage = createStage()
  const browser = await openDrawingChromium()
  try {
    const dataDir = await stage.createEmptyDir()
    await stage.launch('infra/world.ts', ['create', 'default', '--seed', 'gatehouse'], { DATA_DIR: dataDir }).ended
    const server = await stage.start({ DATA_DIR: dataDir })
    const { page, signIn, play, figures } = await openPlayPage(browser, {
      url: server.url,
      // Few pixels: a page waits for a processor that draws many of them, and that is no task of its own.
      context: { deviceScaleFactor: 0.1 },
      settings: { viewRadius, adapt: false, volume: 0 },
      before: (opened) => opened.addInitScript(watchLongTasks),
    })
    const startedAt = performance.now()
    await signIn('bench@example.com')
    await page.waitForSelector('.pause', { timeout: 60_000 })
    const firstGroundMs = performance.now() - startedAt
    await play()
    await waitFor(async () => (await figures()).get('columns')?.startsWith(`${drawnColumns} drawn`) === true, 120_000)
    const drawn = (await figures()).get('drawn') ?? ''
    const meshMs = Number.parseFloat((await figures()).get('mesher') ?? '')
    const session = await browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const memory = Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMb(id)))
    await page.evaluate('longTasks.length = 0')
    await page.keyboard.down('ControlLeft')
    await page.keyboard.down('w')
    await page.waitForTimeout(walkMs)
    await page.keyboard.up('w')
    const tasks = (await page.evaluate('longTasks')) as readonly number[]
    return [
      most('first ground after the sign-in', firstGroundMs, 'ms', 2000),
      most('draw calls at radius 8', Number(/(\d+) calls/.exec(drawn)?.[1]), 'calls', 300),
      most('mesher, mean of the last columns, with the machine drawing', meshMs, 'ms', 4),
      most('memory of the page and its workers at radius 8', memory, 'MiB', 250),
      most('longest task while running for 10 s', Math.max(0, ...tasks), 'ms', 50),
    ]
  } finally {
    await browser.close()
    await stage.close()
  }
}

export const playPage: Bench = { name: 'play-page', run }
