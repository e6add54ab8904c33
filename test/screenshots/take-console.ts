import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createStage, quickConfig } from '../e2e/support/stage.ts'
import { openDrawingChromium } from '../support/pages/drawing-chromium.ts'
import { fillConsole } from './fill-console.ts'

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 320, height: 720 } } as const
const schemes = ['light', 'dark'] as const
/** Longer than the polling intervals of the pages. */
const settleMs = 1_200

/** Pages without a link in the menu. */
const further = ['tokens', 'people/jonas%40example.com', 'configs/server.yaml?view=form', 'nothing-of-this-name'] as const

const settle = async (page: Page): Promise<void> => {
  await page.waitForTimeout(settleMs)
  await page.getByText('Loading…').first().waitFor({ state: 'detached', timeout: 60_000 })
}

type Look = { readonly browser: Browser; readonly url: string; readonly token: string; readonly folder: string }

/** Takes every page in one size and one scheme: those of the menu, some below them, and dialogs. */
const takeLook = async ({ browser, url, token, folder }: Look, size: keyof typeof sizes, colorScheme: 'light' | 'dark') => {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme })
  const page = await context.newPage()
  const shoot = async (name: string): Promise<void> => {
    const path = join(folder, `console-${name.replace(/%40.*|\?.*=/g, '-').replace(/[/.]/g, '-')}-${size}-${colorScheme}`)
    const { scrollHeight = 0, scrollWidth = 0 } = (await page.evaluate(
      '({ scrollHeight: document.documentElement.scrollHeight, scrollWidth: document.documentElement.scrollWidth })',
    )) as Partial<Record<'scrollHeight' | 'scrollWidth', number>>
    if (scrollWidth > sizes[size].width) process.stdout.write(`WIDER THAN THE SCREEN (${scrollWidth}): `)
    await page.screenshot({ path: `${path}.png`, fullPage: scrollHeight < 4_000 })
    await page.screenshot({ path: `${path}.jpg`, type: 'jpeg', quality: 75 })
    process.stdout.write(`${path}.png\n`)
  }
  await page.goto(`${url}/console`)
  await page.getByLabel('Password').waitFor()
  await shoot('door')
  await page.evaluate(`sessionStorage.setItem('gatehouse.token', ${JSON.stringify(token)})`)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const links = await page
    .locator('nav[aria-label=Menu] a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  // Home comes last: its charts need some minutes of data.
  const names = links.map((link) => link.slice(2)).filter((name) => name !== 'home')
  for (const name of [...names, ...further, 'home']) {
    await page.goto(`${url}/console#/${name}`)
    await settle(page)
    if (name === 'console') await comeIn(page)
    if (name === 'home') await page.locator('.chart').first().waitFor()
    await shoot(name)
  }
  await page.goto(`${url}/console#/map?world=default&tab=history`)
  await settle(page)
  await shoot('map-history')
  await page.getByRole('link', { name: 'Zones', exact: true }).last().click()
  await page.getByRole('button', { name: 'Market square' }).click()
  await page.getByRole('button', { name: 'Change chunks' }).click()
  await settle(page)
  await shoot('map-draw')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Rules, members, hours' }).click()
  await page.getByRole('heading', { level: 1, name: 'Market square' }).waitFor()
  await settle(page)
  await shoot('map-zone')
  await page.getByRole('link', { name: 'Edit in 3D' }).click()
  await page.getByText(/^(\d+) of \1 chunks?,/).waitFor()
  await settle(page)
  await shoot('zone-blocks')
  await page.getByLabel('Across x').check()
  await settle(page)
  await shoot('zone-cut')
  await page.goto(`${url}/console#/audit`)
  await page.getByRole('button', { name: 'account.update' }).first().click()
  await settle(page)
  await shoot('audit-entry')
  await page.goto(`${url}/console#/people/jonas%40example.com`)
  await page.reload()
  await page.getByRole('button', { name: 'Add grant' }).click()
  await settle(page)
  await shoot('dialog')
  await context.close()
}

const comeIn = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Join the game' }).click()
  const line = page.getByLabel('Message or command')
  await line.fill('/who')
  await page.keyboard.press('Enter')
  await line.fill('Good evening, everyone.')
  await page.keyboard.press('Enter')
  await line.pressSequentially('/grant Jonas builder ')
  await page.waitForTimeout(settleMs)
}

/** Takes pictures of every page of the console, light and dark, wide and narrow; reports a page that is wider than its screen. */
export const takeConsole = async (folder: string): Promise<void> => {
  const stage = createStage()
  const browser = await openDrawingChromium({ isComplete: true })
  try {
    const dataDir = await stage.createEmptyDir()
    await mkdir(join(dataDir, 'config'))
    await writeFile(join(dataDir, 'config', 'server.yaml'), quickConfig)
    await cp('resources/starter/groups.yaml', join(dataDir, 'config', 'groups.yaml'))
    const server = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.claim(server)
    const leave = await fillConsole(server.url, token)
    for (const size of ['wide', 'narrow'] as const)
      for (const scheme of schemes) await takeLook({ browser, url: server.url, token, folder }, size, scheme)
    await leave()
  } finally {
    await browser.close()
    await stage.close()
  }
}
