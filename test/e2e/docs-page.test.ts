import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { allRoutes } from '../../functions/all-routes.ts'
import { createDocsPage } from '../../functions/http/openapi/docs-page.ts'
import { docsStyle } from '../../functions/http/openapi/docs-style.ts'
import { describeApi } from '../../functions/service/describe-api.ts'
import { type Chromium, describeBrowser, openChromium } from '../support/pages/chromium.ts'

describeBrowser('the page about the API', () => {
  let browser: Chromium
  let page: Page
  beforeAll(async () => {
    browser = await openChromium()
    page = await browser.context.newPage()
    const body = createDocsPage(await describeApi(async () => allRoutes, 'http://127.0.0.1:3000'))
    await page.route('**/api/docs', (route) => route.fulfill({ body, contentType: 'text/html' }))
    await page.route('**/style.css', (route) => route.fulfill({ body: docsStyle, contentType: 'text/css' }))
    await page.goto('http://docs.example/api/docs')
  })
  afterAll(() => browser.close())

  it.each([320, 390, 1280])('needs no horizontal scrolling at %i pixels, with everything unfolded', async (width) => {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })
})
