import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

/** Counts pictures. To be run before the page does anything. */
const script = `
globalThis.pictures = 0
const ask = requestAnimationFrame
globalThis.requestAnimationFrame = (draw) => ask((at) => { pictures += 1; draw(at) })`

export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(script)

/** Milliseconds of processor time that the page's own thread takes for a picture, all that comes between two of them included. */
export const measurePictures = async (page: Page, forMs: number): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    return { seconds, pictures: (await page.evaluate('pictures')) as number }
  }
  const before = await read()
  await page.waitForTimeout(forMs)
  const after = await read()
  await session.detach()
  return ((after.seconds - before.seconds) * 1000) / Math.max(1, after.pictures - before.pictures)
}

type TraceEvent = {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Tasks of pages' own threads while `act` runs, in milliseconds: as they passed, and of the processor alone. */
export const traceTasks = async (browser: Browser, act: () => Promise<void>) => {
  await browser.startTracing(undefined, { categories: ['toplevel', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return traceEvents
    .filter(({ ph, name, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ passedMs: dur / 1000, busyMs: tdur / 1000 }))
}

/** Of the largest page, its workers included, in MiB. */
export const readMemory = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
}
