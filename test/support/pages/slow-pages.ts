import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

const slowness = Number(process.env.GATEHOUSE_SLOW_PAGES ?? 1)
const seed = Number(process.env.GATEHOUSE_SLOW_ANSWERS ?? 0)
const answerMs = 150
const requestMs = 250
let state = seed

/** Delays in milliseconds that depend on the seed alone. */
const nextMs = (): number => {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
  return (state / 2 ** 32) * requestMs
}

const slowPage = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  if (slowness > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  if (seed === 0) return
  await session.send('Network.enable')
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...unlimited, latency: answerMs })
}

/** Slows the pages of a context to find races, as the environment says: docs/architecture/tests.md. */
export const slowPages = async (context: BrowserContext): Promise<void> => {
  if (slowness > 1 || seed !== 0) context.on('page', (page) => void slowPage(page).catch(() => undefined))
  if (seed !== 0)
    await context.route('**/*', async (route) => {
      await sleep(nextMs())
      await route.fallback().catch(() => undefined)
    })
}
