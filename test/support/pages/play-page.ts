import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { waitFor } from '../time/wait-for.ts'

/** Small, coarse, with a near view and few frames, because the processor renders it. Noon makes colours predictable. */
const screen = { viewport: { width: 480, height: 270 }, deviceScaleFactor: 0.25 }
const quickSettings = { viewRadius: 3, adapt: false, volume: 0, daylight: 'noon', framesMax: 8 }
const askMs = 100
/**
 * Draws five times a second by a timer. Without it Chromium prepares sixty frames a second, and the page draws eight of them. That
 * takes twice the processor time.
 */
const drawSeldom = `{
  globalThis.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 200)
  globalThis.cancelAnimationFrame = clearTimeout
}`

/** `waitFor` with a longer interval, because a query of the page is expensive. */
export const waitForPage = (holds: () => boolean | Promise<boolean>): Promise<void> => waitFor(holds, undefined, askMs)

export type PlayPageOptions = {
  readonly url: string
  /** The path of the link; by default `/play`. */
  readonly path?: string
  readonly context?: BrowserContextOptions
  readonly settings?: object
  /** Runs before the page does anything. */
  readonly before?: (page: Page) => Promise<unknown>
}

/** Opens the game in a new page. Policy violations and faults are collected. */
export const openPlayPage = async (
  browser: Browser,
  { url, path = '/play', context: options, settings, before }: PlayPageOptions,
) => {
  const context = await browser.newContext({ ...screen, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted ?Type|TrustedScript/i.test(message.text())) faults.push(message.text())
  })
  const stored = JSON.stringify(JSON.stringify({ ...quickSettings, ...settings }))
  await page.addInitScript(`localStorage['gatehouse.play.settings'] ??= ${stored}`)
  await page.addInitScript(drawSeldom)
  await before?.(page)
  await page.goto(`${url}${path}`)

  const figures = async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await page.evaluate(
      '[...document.querySelectorAll(".panel div")].map((row) => [...row.children].map(({ textContent }) => textContent))',
    )
    return new Map(rows as [string, string][])
  }
  /**
   * Turns the view by pixels of the mouse: 100 are 12 degrees. It sends its own events, because a real mouse stops at the edge of
   * the page and each way back counts too. Without the mouse lock it drags.
   */
  const turn = async (dx: number, dy: number): Promise<void> => {
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / 100)
    await page.evaluate(`(() => {
      const canvas = document.querySelector('.picture')
      const isLocked = document.pointerLockElement === canvas
      const tell = (kind, more) =>
        canvas.dispatchEvent(new PointerEvent(kind, { pointerType: 'mouse', bubbles: true, cancelable: true, ...more }))
      if (!isLocked) tell('pointerdown', { clientX: 200, clientY: 100 })
      for (let step = 0; step < ${steps}; step += 1)
        tell('pointermove', { button: -1, clientX: 240, clientY: 135, movementX: ${dx / steps}, movementY: ${dy / steps} })
      if (!isLocked) tell('pointerup', { clientX: 240, clientY: 135 })
    })()`)
  }
  const resume = async (): Promise<void> => {
    // A browser that has just released the mouse may refuse it at first: users click again.
    await waitForPage(async () => {
      const card = page.locator('.pause .main')
      if (await card.isVisible()) await card.click({ timeout: 1_000 }).catch(() => undefined)
      return page.locator('.crosshair').isVisible()
    })
  }
  return {
    page,
    context,
    faults,
    turn,
    /** Goes from the menu into the game, if needed. */
    resume,
    /** Whether the player is in the game or in its menu. */
    isIn: async (): Promise<boolean> => !page.isClosed() && (await page.locator('.game').count()) > 0,
    /** Opens the menu of the game. */
    pause: async (): Promise<void> => {
      await page.evaluate('document.exitPointerLock()')
      // Needed if the browser did not grant the mouse.
      await page.keyboard.press('Escape')
      await page.waitForSelector('.pause')
    },
    /** Puts another tab in front of this one, and back again. */
    hide: async (): Promise<void> => {
      await page.evaluate(`{
        const tell = () => document.dispatchEvent(new Event('visibilitychange'))
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
        tell()
        delete document.visibilityState
        tell()
      }`)
    },
    /** Looks the given degrees above the horizon, or below it if negative. */
    lookUp: async (degrees: number): Promise<void> => {
      await turn(0, -1600)
      await turn(0, (89.9 - degrees) / 0.12)
    },
    signIn: async (email: string, password?: string): Promise<void> => {
      await page.fill('input[type=email]', email)
      if (password !== undefined) {
        const field = page.locator('input[type=password]')
        if (!(await field.isVisible())) await page.click('summary')
        await field.fill(password)
      }
      await page.click('button[type=submit]')
    },
    /** Goes from the menu into the game, with the panel open. */
    play: async (): Promise<void> => {
      await resume()
      if ((await page.locator('.panel').count()) === 0) await page.keyboard.press('F3')
      await page.waitForSelector('.panel')
    },
    figures,
    place: async (): Promise<readonly number[]> => (await figures()).get('position')?.split(' ').map(Number) ?? [],
    /** Holds a key until a condition is true. */
    holdUntil: async (key: string, isSo: () => Promise<boolean>): Promise<void> => {
      await page.keyboard.down(key)
      try {
        await waitForPage(isSo)
      } finally {
        await page.keyboard.up(key)
      }
    },
    /** Waits until the chat field has the text, as after a completion. */
    typed: async (text: string): Promise<void> => {
      await waitForPage(async () => (await page.inputValue('.entry input')) === text)
    },
    say: async (text: string): Promise<void> => {
      await page.keyboard.press('t')
      await page.waitForSelector('.entry input')
      await page.fill('.entry input', text)
      await page.keyboard.press('Enter')
    },
  }
}

export type PlayPage = Awaited<ReturnType<typeof openPlayPage>>
