import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Chromium } from './chromium.ts'
import { findViolations } from './find-violations.ts'

type Options = { readonly browser: Chromium; readonly url: string; readonly token: string }

/** A signed-in tab of the console. It records faults, including policy violations, but not those of the network. */
export const openConsolePage = async ({ browser, url, token }: Options) => {
  const faults: string[] = []
  const page: Page = await browser.context.newPage()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => faults.push(String(error.stack)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${url}/console`)
  await page.evaluate(`sessionStorage.setItem('gatehouse.token', ${JSON.stringify(token)})`)
  await page.reload()
  const show = async (address: string, heading: string): Promise<void> => {
    await page.goto(`${url}/console#/${address}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  }
  return {
    page,
    faults,
    show,
    /**
     * Checks a page of the console in light and wide, dark and narrow: axe finds nothing, and 320 pixels are enough. `ready`
     * waits for it.
     */
    checkForEverybody: async (address: string, heading: string, ready?: () => Promise<void>): Promise<void> => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 320],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        await show(address, heading)
        await ready?.()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        // Markup in names, reasons and chat is shown as text.
        expect(await page.locator('img[src="x"], b[onclick]').count()).toBe(0)
        expect(await findViolations(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  }
}

export type ConsolePage = Awaited<ReturnType<typeof openConsolePage>>
