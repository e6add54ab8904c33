import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Chromium } from './chromium.ts'
import { findViolations } from './find-violations.ts'

/**
 * Opens an address of the console, and waits until the page shows it. An address in the same document changes the page some frames
 * later. The heading alone does not show that, because two addresses may have the same one.
 */
export const openAddress = async (page: Page, url: string, heading: string): Promise<void> => {
  await page.goto(url)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))')
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
}

type Options = { readonly browser: Chromium; readonly url: string; readonly token: string }

/** From the smallest phone to a large screen. */
const widths = [320, 768, 1024, 1440, 1920] as const

/** A signed-in tab of the console. It records faults, including policy violations, but not those of the network. */
export const openConsolePage = async ({ browser, url, token }: Options) => {
  const faults: string[] = []
  const page: Page = await browser.context.newPage()
  page.on('pageerror', (error) => faults.push(String(error.stack)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${url}/console`)
  await page.evaluate(`sessionStorage.setItem('gatehouse.token', ${JSON.stringify(token)})`)
  await page.reload()
  const show = (address: string, heading: string) => openAddress(page, `${url}/console#/${address}`, heading)
  return {
    page,
    faults,
    show,
    /**
     * Checks a page of the console at all widths, in light and dark: axe finds nothing, and it does not scroll sideways. `ready`
     * waits for its content.
     */
    checkForEverybody: async (address: string, heading: string, ready?: () => Promise<void>): Promise<void> => {
      await page.setViewportSize({ width: 1440, height: 800 })
      await show(address, heading)
      await ready?.()
      // Markup in names, reasons and chat is shown as text.
      expect(await page.locator('img[src="x"], b[onclick]').count()).toBe(0)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        // Changes of the layout, such as the sidebar that becomes a menu, take a frame.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect([width, colorScheme, await findViolations(page, { isOnlyColours: colorScheme === 'dark' })]).toEqual([
            width,
            colorScheme,
            [],
          ])
        }
      }
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 800 })
    },
  }
}

export type ConsolePage = Awaited<ReturnType<typeof openConsolePage>>
