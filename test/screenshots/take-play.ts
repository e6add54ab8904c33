import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createStage } from '../e2e/support/stage.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { openPlayPage } from '../support/pages/play-page.ts'
import { buildScene } from './build-scene.ts'

const sizes = {
  wide: { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1 },
  narrow: { deviceScaleFactor: 1, viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
} as const
const photographer = 'ann@example.com'
/** Long enough for the last column, and for fading lines. */
const settleMs = 6_000

/** Takes pictures of the game in the browser, wide and narrow, by day and by night. */
export const takePlay = async (folder: string): Promise<void> => {
  const stage = createStage()
  const browser = await openDrawingChromium({ isComplete: true })
  const shoot = async (page: Page, name: string): Promise<void> => {
    await page.screenshot({ path: join(folder, `${name}.png`) })
    process.stdout.write(`${join(folder, name)}.png\n`)
  }
  try {
    const dataDir = await stage.createEmptyDir()
    const created = stage.launch('tools/world.ts', ['create', 'default', '--seed', 'gatehouse'], { DATA_DIR: dataDir })
    if ((await created.ended) !== 0) throw new Error(created.stderr())
    const server = await stage.start({ DATA_DIR: dataDir })
    const leave = await buildScene(server.url, photographer)
    for (const [name, context] of Object.entries(sizes)) {
      const { page, signIn } = await openPlayPage(browser, {
        url: server.url,
        context,
        settings: { viewRadius: 7, daylight: 'noon', framesMax: 0 },
      })
      await page.waitForSelector('input[type=email]')
      await shoot(page, `play-door-${name}`)
      await signIn(photographer)
      await page.waitForSelector('.pause .main', { timeout: 60_000 })
      await page.waitForTimeout(settleMs)
      await shoot(page, `play-card-${name}`)
      // The last pressed device is the input device.
      const press = (selector: string) => (name === 'narrow' ? page.tap(selector) : page.click(selector))
      await press('.pause .main')
      await page.waitForTimeout(settleMs)
      await shoot(page, `play-${name}`)
      // The first picture of the README.
      await page.screenshot({ path: join(folder, `play-${name}.jpg`), type: 'jpeg', quality: 76 })
      await page.keyboard.press('e')
      await page.waitForSelector('.picker')
      await shoot(page, `play-blocks-${name}`)
      await press('.picker .close')
      await page.waitForSelector('.picker', { state: 'detached' })
      await page.waitForTimeout(1_000)
      if (name === 'narrow') await press('.touch .corner button:first-child')
      else await page.keyboard.press('t')
      await page.waitForSelector('.entry input')
      await page.keyboard.type('/w')
      await page.waitForSelector('.completions')
      await shoot(page, `play-chat-${name}`)
      await page.keyboard.press('Escape')
      await page.waitForSelector('.entry', { state: 'detached' })
      if (await page.locator('.pause .main').isVisible()) await press('.pause .main')
      await page.keyboard.press('F3')
      await page.waitForSelector('.panel')
      await page.keyboard.down('Tab')
      await page.waitForSelector('.people')
      await page.waitForTimeout(1_500)
      await shoot(page, `play-panel-${name}`)
      await page.keyboard.up('Tab')
      await page.keyboard.press('F3')
      if (name === 'narrow') await press('.touch .corner button:last-child')
      else {
        await page.evaluate('document.exitPointerLock()')
        await page.keyboard.press('Escape')
      }
      await press('.pause button:nth-child(2)')
      await page.waitForSelector('.settings')
      await shoot(page, `play-settings-${name}`)
      // A page that keeps drawing would take the processor from the others.
      await page.context().close()
      for (const daylight of ['evening', 'night'] as const) {
        const { page: later, signIn: again } = await openPlayPage(browser, {
          url: server.url,
          context,
          settings: { viewRadius: 7, daylight, framesMax: 0 },
        })
        await again(photographer)
        await (name === 'narrow'
          ? later.tap('.pause .main', { timeout: 60_000 })
          : later.click('.pause .main', { timeout: 60_000 }))
        await later.waitForTimeout(settleMs)
        await shoot(later, `play-${daylight}-${name}`)
        await later.context().close()
      }
    }
    await leave()
  } finally {
    await browser.close()
    await stage.close()
  }
}
