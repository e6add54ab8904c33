import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { startBots } from '../../sdk/testing/bots.ts'
import { createStage, quickConfig } from '../../test/e2e/support/stage.ts'
import { openDrawingChromium } from '../../test/support/pages/drawing-chromium.ts'
import { traceTasks } from '../play/page-watch.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'
import { measureInteractions, slowdown, turns } from './interactions.ts'
import { addZones, listManyAccounts } from './many.ts'

const count = 10_000
const crowd = 200
const watchedMs = 5_000
/** The time until requested data is drawn. */
const restMs = 1_000
const rounds = 5
const unlimited = quickConfig.replace('requestsPerMinutePerToken: 10000', 'requestsPerMinutePerToken: 1000000')

const atMost = (figure: string, value: number, unit: string, limit: number): BenchResult => ({
  bench: 'console',
  figure,
  value: round(value, 1),
  unit,
  target: `at most ${limit}`,
  met: value <= limit,
})

const shown = (page: Page, heading: string) => page.getByRole('heading', { level: 1, name: heading }).waitFor()
const settled = (page: Page) => page.getByText('Loading…').first().waitFor({ state: 'detached' })

/**
 * Actions of an administrator with large lists, by name: each page of the menu, an account, more of a list, a search, watching
 * moving players.
 */
const listSteps = async (page: Page, url: string): Promise<ReadonlyMap<string, () => Promise<void>>> => {
  const names = await page
    .locator('nav[aria-label=Menu] a')
    .evaluateAll((links) => links.map((link) => [link.getAttribute('href')?.slice(2) ?? '', link.textContent ?? ''] as const))
  const open = (name: string, heading: string) => async () => {
    await page.goto(`${url}/console#/${name}`)
    await shown(page, heading)
    await settled(page)
    await page.waitForTimeout(restMs)
  }
  return new Map([
    ...names.map(([name, heading]): [string, () => Promise<void>] => [name, open(name, heading)]),
    ['an account', open('people/person-00042%40example.com', 'Person 42')],
    [
      'more people',
      async () => {
        await open('people', 'Accounts')()
        for (let more = 0; more < 5; more += 1) await page.getByRole('button', { name: 'Show more' }).click()
        await page.mouse.wheel(0, 20_000)
      },
    ],
    [
      'a search',
      async () => {
        await page.getByLabel('Search by name or email').pressSequentially('person 99', { delay: 40 })
        await page.getByRole('link', { name: 'Person 9900', exact: true }).waitFor()
      },
    ],
    ...(
      [
        ['players', 'Online'],
        ['map', 'Map'],
      ] as const
    ).map(([name, heading]): [string, () => Promise<void>] => [
      `${heading}, watched`,
      async () => {
        await open(name, heading)()
        await page.waitForTimeout(watchedMs)
      },
    ]),
  ])
}

/**
 * Benchmarks the console in Chromium on the loopback: the time until it is usable, and its responsiveness with many accounts and
 * zones. It cannot show a network, nor a browser with other pages.
 */
const run = async (): Promise<readonly BenchResult[]> => {
  const stage = createStage()
  const browser = await openDrawingChromium({ isComplete: true })
  try {
    const dataDir = await stage.createEmptyDir()
    await mkdir(join(dataDir, 'config'))
    await writeFile(join(dataDir, 'config', 'server.yaml'), unlimited)
    await cp('resources/starter/groups.yaml', join(dataDir, 'config', 'groups.yaml'))
    await writeFile(join(dataDir, 'config', 'users.yaml'), listManyAccounts(count))
    const server = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.claim(server)
    process.stderr.write(`${count} accounts, and as many zones …\n`)
    await addZones(server.url, token, count)
    const keepToken = `sessionStorage.setItem('gatehouse.token', ${JSON.stringify(token)})`
    const usableMs: number[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      // Each starts with an empty cache.
      const context = await browser.newContext()
      await context.addInitScript(keepToken)
      const page = await context.newPage()
      const startedAt = performance.now()
      await page.goto(`${server.url}/console#/people`)
      await page.getByRole('link', { name: 'Person 0', exact: true }).waitFor()
      usableMs.push(performance.now() - startedAt)
      process.stderr.write(`usable after ${round(usableMs.at(-1) ?? 0)} ms\n`)
      await context.close()
    }
    const bots = await startBots({ url: server.url, count: crowd, WebSocket })
    const context = await browser.newContext()
    await context.addInitScript(keepToken)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${server.url}/console`)
    await shown(page, 'Overview')
    const tasks: { readonly step: string; readonly busyMs: number; readonly passedMs: number }[] = []
    for (const [step, act] of await listSteps(page, server.url)) {
      const done = await traceTasks(browser, act)
      tasks.push(...done.map((task) => ({ step, ...task })))
      const most = Math.max(0, ...done.map(({ busyMs }) => busyMs))
      process.stderr.write(`${step}: longest task ${round(most, 1)} ms of the processor\n`)
    }
    const paints = await measureInteractions(page, server.url)
    await bots.stop()
    const longest = tasks.reduce((one, other) => (other.busyMs > one.busyMs ? other : one), { step: '', busyMs: 0, passedMs: 0 })
    return [
      atMost('from the address to a list of accounts, nothing cached, median', median(usableMs), 'ms', 1000),
      atMost(
        `longest task with ${count} accounts and zones and ${crowd} moving players, of the processor (${longest.step})`,
        longest.busyMs,
        'ms',
        50,
      ),
      ...[...paints].map(([action, paintMs]) =>
        atMost(
          `interaction to next paint, processor ${slowdown} times slower, median of ${turns}: ${action}`,
          paintMs,
          'ms',
          100,
        ),
      ),
      {
        bench: 'console',
        figure: 'tasks that took over 50 ms meanwhile, with whatever else the machine did',
        unit: 'tasks',
        value: tasks.filter(({ passedMs }) => passedMs > 50).length,
      },
    ]
  } finally {
    await browser.close()
    await stage.close()
  }
}

export const consolePages: Bench = { name: 'console', run }
