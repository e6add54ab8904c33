import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

/** Counts pictures. To be run before the page does anything. */
const script = `
globalThis.pictures = 0
const ask = requestAnimationFrame
globalThis.requestAnimationFrame = (draw) => ask((at) => { pictures += 1; draw(at) })`

export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(script)

/** What pictures cost: milliseconds of processor time of the page's own thread for each, all that comes between two of them included; and how many are drawn a second. */
export type Pictures = { readonly ms: number; readonly aSecond: number }

export const measurePictures = async (page: Page, forMs: number): Promise<Pictures> => {
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
  const pictures = Math.max(1, after.pictures - before.pictures)
  return { ms: ((after.seconds - before.seconds) * 1000) / pictures, aSecond: pictures / (forMs / 1000) }
}

type TraceEvent = {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds, as those below. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** What pages' own threads do while `act` runs: their tasks, and where each picture begins. */
const trace = async (browser: Browser, act: () => Promise<void>) => {
  await browser.startTracing(undefined, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const events = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && main.has(`${pid} ${tid}`))
  return {
    tasks: events.filter(({ name }) => name.endsWith('RunTask')),
    pictures: events.filter(({ name }) => name === 'FireAnimationFrame'),
  }
}

/** Tasks of pages' own threads while `act` runs, in milliseconds: as they passed, and of the processor alone. */
export const traceTasks = async (browser: Browser, act: () => Promise<void>) =>
  (await trace(browser, act)).tasks.map(({ dur = 0, tdur = 0 }) => ({ passedMs: dur / 1000, busyMs: tdur / 1000 }))

/** Milliseconds of the processor for each picture of the one page there is while `act` runs: all tasks of its own thread until the next. */
export const tracePictures = async (browser: Browser, act: () => Promise<void>): Promise<readonly number[]> => {
  const { tasks, pictures } = await trace(browser, act)
  const [first] = pictures
  const starts = pictures.map(({ ts }) => ts).sort((one, other) => one - other)
  const busyMs = starts.map(() => 0)
  let at = 0
  const ordered = tasks.filter(({ pid }) => pid === first?.pid).sort((one, other) => one.ts - other.ts)
  for (const { ts, dur = 0, tdur = 0 } of ordered) {
    while (at + 1 < starts.length && (starts[at + 1] ?? 0) < ts + dur) at += 1
    busyMs[at] = (busyMs[at] ?? 0) + tdur / 1000
  }
  return busyMs
}

const blind = `
for (const draw of ['clear', 'drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'])
  WebGL2RenderingContext.prototype[draw] = () => undefined`

/** Leaves out what WebGL draws, and so all waiting for a processor that draws it. To be run before the page does anything. */
export const leaveOutDrawing = (page: Page): Promise<unknown> => page.addInitScript(blind)

/** Makes the page's own thread so many times slower. */
export const slowDown = async (page: Page, rate: number): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Of the largest page, its workers included, in MiB. */
export const readMemory = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
}
