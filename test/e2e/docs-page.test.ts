import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { allRoutes } from '../../functions/all-routes.ts'
import { backupRoutes } from '../../functions/backups/routes.ts'
import { createDocsPage } from '../../functions/http/openapi/docs-page.ts'
import { docsScript } from '../../functions/http/openapi/docs-script.ts'
import { docsStyle } from '../../functions/http/openapi/docs-style.ts'
import type { Route } from '../../functions/http/route.ts'
import { describeApi } from '../../functions/service/describe-api.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'
import { findViolations } from '../support/pages/find-violations.ts'

describeBrowser('the page about the API', () => {
  let browser: Chromium
  let page: Page

  /** Shows the page about some routes. */
  const show = async (routes: readonly Route[]): Promise<void> => {
    const body = createDocsPage(await describeApi(async () => routes, 'http://127.0.0.1:3000'))
    await page.unroute('**/api/docs')
    await page.route('**/api/docs', (route) => route.fulfill({ body, contentType: 'text/html' }))
    await page.goto('http://docs.example/api/docs')
  }

  beforeAll(async () => {
    browser = await openChromium()
    page = await browser.context.newPage()
    await page.route('**/style.css', (route) => route.fulfill({ body: docsStyle, contentType: 'text/css' }))
    await page.route('**/script.js', (route) => route.fulfill({ body: docsScript, contentType: 'text/javascript' }))
  })
  afterAll(() => browser.close())

  it.each([320, 390, 1280])('needs no horizontal scrolling at %i pixels, with everything unfolded', async (width) => {
    await show(allRoutes)
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme: axe finds nothing',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await show(backupRoutes)
      expect(await findViolations(page)).toEqual([])
    },
    180_000,
  )

  it('searches routes, and sends a request with the token of the tab', async () => {
    await show(backupRoutes)
    await page.evaluate("sessionStorage.setItem('gatehouse.token', 'the-token')")
    await page.getByRole('searchbox', { name: 'Search the API' }).fill('backups verify')
    await page.getByText('1 route', { exact: true }).waitFor()
    expect(await page.locator('section.operation:visible').count()).toBe(1)
    await page.getByRole('button', { name: /^Try it: POST/ }).click()
    await page.getByLabel('id', { exact: true }).fill('a b')
    const sent = page.waitForRequest('**/verify')
    await page.route('**/verify', (route) => route.fulfill({ status: 404, json: { type: '/problems/not-found' } }))
    await page.getByRole('button', { name: 'Send POST' }).click()
    const request = await sent
    expect(request.url()).toBe('http://docs.example/api/admin/backups/a%20b/verify')
    expect(request.headers().authorization).toBe('Bearer the-token')
    await page.getByText('/problems/not-found').last().waitFor()
  })

  it('leads to a route from the menu of a narrow screen, and stays there', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await show(allRoutes)
    const link = page.locator('nav').getByRole('link', { name: 'POST /users/{email}/grants', exact: true })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await link.waitFor({ state: 'hidden' })
    // The observer of the current section runs in a later frame.
    await page.locator('nav a[aria-current][href="#createGrant"]').waitFor({ state: 'attached' })
    const heading = await page.locator('#createGrant h3').boundingBox()
    const side = await page.locator('.side').boundingBox()
    expect(heading?.y).toBeGreaterThan((side?.y ?? 0) + (side?.height ?? 0))
    expect(heading?.y).toBeLessThan(400)
    await page.getByRole('searchbox', { name: 'Search the API' }).fill('grants post')
    await link.waitFor()
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1280, height: 844 })
  })

  it('shows a refusal of a request: without a token, of a wrong body, and of too many requests', async () => {
    await show(allRoutes)
    await page.evaluate('sessionStorage.clear()')
    const operation = page.locator('#createGrant')
    await operation.getByRole('button', { name: /^Try it/ }).press('Enter')
    await page.keyboard.type('ada@example.com')
    await operation.getByLabel('Body').fill('{"permission":')
    const answers = [
      { status: 401, json: { type: '/problems/token-needed' } },
      { status: 400, json: { type: '/problems/bad-request' } },
      { status: 429, json: { type: '/problems/too-many-requests' }, headers: { 'Retry-After': '7' } },
    ]
    const requests: (string | undefined)[] = []
    await page.route('**/grants', async (route) => {
      const { authorization } = route.request().headers()
      requests.push(`${authorization} ${route.request().postData()}`)
      await route.fulfill(answers.shift() ?? { status: 500 })
    })
    const send = operation.getByRole('button', { name: 'Send POST' })
    await send.click()
    await operation.getByText('/problems/token-needed').waitFor()
    await operation.getByLabel(/^Token/).fill('gh_token')
    await send.click()
    await operation.getByText('/problems/bad-request').waitFor()
    await send.click()
    await operation.getByText('Try again in 7 s.').waitFor()
    expect(requests.slice(0, 2)).toEqual(['undefined {"permission":', 'Bearer gh_token {"permission":'])
  })

  it('selects an example where a page without HTTPS cannot copy it', async () => {
    await show(backupRoutes)
    const figure = page.locator('section.operation figure').first()
    await figure.getByRole('button', { name: /^Copy: / }).press('Enter')
    await figure.getByText('Selected: press Ctrl+C').waitFor()
    expect(await page.evaluate('String(getSelection())')).toBe(await figure.locator('pre').textContent())
  })
})
