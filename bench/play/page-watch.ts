import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'

/** Counts frames. Run it before the page does anything. */
const script = `
globalThis.pictures = 0
const ask = requestAnimationFrame
globalThis.requestAnimationFrame = (draw) => ask((at) => { pictures += 1; draw(at) })`

export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(script)

/**
 * The cost of frames: milliseconds of processor time of the page's main thread per frame, including everything between two
 * frames; and frames a second.
 */
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
  /** Microseconds, like `dur` below. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Records tasks of the pages' main threads while `act` runs, and the starts of frames. */
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

/** Tasks of the pages' main threads while `act` runs, in milliseconds: elapsed time, and processor time. */
export const traceTasks = async (browser: Browser, act: () => Promise<void>) =>
  (await trace(browser, act)).tasks.map(({ dur = 0, tdur = 0 }) => ({ passedMs: dur / 1000, busyMs: tdur / 1000 }))

/**
 * Milliseconds of processor time for each frame of the only page while `act` runs: all tasks of its main thread until the next
 * frame.
 */
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

/** Disables drawing by WebGL, and so all waits for a processor that renders. Run it before the page does anything. */
export const leaveOutDrawing = (page: Page): Promise<unknown> => page.addInitScript(blind)

/** Slows down the page's main thread by a factor. */
export const slowDown = async (page: Page, rate: number): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** The memory of the largest page, including its workers, in MiB. */
export const readMemory = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const residentOf = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
}
