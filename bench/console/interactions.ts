import type { Page } from 'playwright-core'
import { median } from '../result.ts'

/** How many times slower than here the processor of a phone is. */
export const slowdown = 6
export const turns = 5
/** The time until delayed work of an interaction has ended. */
const restMs = 1_500

/** Collects the durations of the Event Timing API. It reports those of 16 ms and more, in steps of 8 ms. */
const observe = `(() => {
  window.paints = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.paints.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: false })
})()`

type Interaction = {
  readonly name: string
  /** Opens the page, at full speed. */
  readonly prepare?: () => Promise<void>
  readonly act: () => Promise<void>
  /** Restores the state before the interaction. */
  readonly reset?: () => Promise<void>
}

const listInteractions = (page: Page, url: string): readonly Interaction[] => {
  const open = (address: string, heading: string) => async () => {
    await page.goto(`${url}/console#/${address}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.waitForTimeout(restMs)
  }
  const search = () => page.getByLabel('Search by name or email')
  const canvas = () => page.locator('.map-frame canvas').first()
  return [
    {
      name: 'typing in the search of accounts',
      prepare: open('people', 'Accounts'),
      act: async () => {
        await search().focus()
        await page.keyboard.type('person 9', { delay: 150 })
      },
      reset: () => search().fill(''),
    },
    { name: 'sorting accounts', act: () => page.getByRole('columnheader', { name: 'Email' }).getByRole('button').click() },
    {
      name: 'opening an account',
      prepare: open('people', 'Accounts'),
      act: () =>
        page
          .getByRole('link', { name: /^(Person |bot-)\d+$/ })
          .first()
          .click(),
      reset: open('people', 'Accounts'),
    },
    {
      name: 'opening the palette',
      act: () => page.keyboard.press('Control+k'),
      reset: () => page.keyboard.press('Escape'),
    },
    {
      name: 'typing in the palette',
      act: async () => {
        await page.keyboard.press('Control+k')
        await page.waitForTimeout(restMs)
        await page.evaluate('window.paints.length = 0')
        await page.keyboard.type('zone 4', { delay: 150 })
      },
      reset: () => page.keyboard.press('Escape'),
    },
    {
      name: 'toggling a permission of a group',
      prepare: open('groups', 'Groups'),
      act: () =>
        page
          .getByRole('button', { name: / for builder: / })
          .first()
          .click(),
    },
    {
      name: 'moving the map',
      prepare: open('map', 'Map'),
      act: async () => {
        await canvas().hover({ force: true })
        await page.mouse.down()
        for (let step = 0; step < 20; step += 1) await page.mouse.move(500 + step * 5, 400 + step * 3)
        await page.mouse.up()
        await page.keyboard.press('ArrowLeft')
      },
    },
  ]
}

/** The longest time from an input to the next frame, by interaction, on a processor that is slower by `slowdown`. */
export const measureInteractions = async (page: Page, url: string): Promise<ReadonlyMap<string, number>> => {
  const devTools = await page.context().newCDPSession(page)
  await page.goto(`${url}/console#/people`)
  await page.reload()
  await page.evaluate(observe)
  const found = new Map<string, number>()
  for (const { name, prepare, act, reset } of listInteractions(page, url)) {
    await prepare?.()
    const longest: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.evaluate('window.paints.length = 0')
      await act()
      await page.waitForTimeout(restMs)
      // Interactions below 16 ms are not reported.
      longest.push(Number(await page.evaluate('Math.max(16, ...window.paints)')))
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await reset?.()
    }
    found.set(name, median(longest))
    process.stderr.write(`${name}: next paint after ${longest.join(', ')} ms\n`)
  }
  return found
}
