import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

/** Notes each task over 50 ms, and how long each picture keeps the page busy. To be run before the page does anything. */
const script = `
globalThis.longTasks = []
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(duration) }).observe({ type: 'longtask', buffered: true })
globalThis.pictures = []
const ask = requestAnimationFrame
globalThis.requestAnimationFrame = (draw) => ask((at) => { const from = performance.now(); draw(at); pictures.push(performance.now() - from) })`

/** What a page was busy with. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(script)

export const forget = (page: Page): Promise<unknown> => page.evaluate('longTasks.length = 0; pictures.length = 0')

/** In milliseconds, since the page was told to forget. */
export const readTimes = async (page: Page) =>
  (await page.evaluate('({ longTasks: [...longTasks], pictures: [...pictures] })')) as {
    readonly longTasks: readonly number[]
    readonly pictures: readonly number[]
  }

/** Of the largest page, its workers included, in MiB. */
export const readMemory = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
}
