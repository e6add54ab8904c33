import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { describeBrowser } from '../support/pages/chromium.ts'
import { openBlindChromium } from '../support/pages/drawing-chromium.ts'

const root = resolve(import.meta.dirname, '../..')
/** Only the list, without a server: a hundred players are too many for a test. */
const entry = `
  import { h, render } from 'preact'
  import { createHud } from './play/state/hud.ts'
  import { PlayerList } from './play/ui/overlays.tsx'
  import './play/style.css'
  globalThis.show = (people, count, isInline) => {
    const hud = createHud()
    hud.name.value = 'Ann'
    hud.everybody.value = { people: [{ displayName: 'Ann' }, ...people], count }
    const list = h(PlayerList, { hud, isInline })
    const inCard = h('div', { class: 'shade' }, h('div', { class: 'window pause' }, list))
    render(h('div', { class: 'game' }, isInline ? inCard : list), document.querySelector('#app'))
  }
`
/** Whether a name is readable and nothing covers it. */
const isSeen = `(line) => {
  const { x, y } = line.getBoundingClientRect()
  return getComputedStyle(line).visibility === 'visible' && line.contains(document.elementFromPoint(x + 2, y + 8))
}`
let browser: Browser
let page: Page

const show = async (
  people: number,
  { width, height, isInline = false }: { width: number; height: number; isInline?: boolean },
) => {
  await page.setViewportSize({ width, height })
  const names = Array.from({ length: people - 1 }, (_, at) => ({
    displayName: `Player ${at + 2}`,
    world: at % 9 ? undefined : 'arena',
  }))
  // The list measures its space in the next frame.
  await page.evaluate(`new Promise((done) => {
    show(${JSON.stringify(names)}, ${people}, ${isInline})
    requestAnimationFrame(() => requestAnimationFrame(done))
  })`)
  return {
    names: await page.evaluate<number>(`[...document.querySelectorAll('.people li')].filter(${isSeen}).length`),
    more: (await page.locator('.people p').allTextContents()).join(''),
  }
}

describeBrowser('the list of connected players', () => {
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: root, loader: 'ts' },
      outdir: join(root, 'pages'),
      bundle: true,
      write: false,
      format: 'iife',
      tsconfig: join(root, 'play/tsconfig.json'),
    })
    const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
    browser = await openBlindChromium()
    page = await browser.newPage()
    await page.setContent('<!doctype html><div id="app"></div>')
    await page.addStyleTag({ content: textOf('.css') })
    await page.addScriptTag({ content: textOf('.js') })
  })
  afterAll(() => browser.close())

  it('shows a hundred names at once on a usual screen', async () => {
    expect(await show(100, { width: 1280, height: 720 })).toEqual({ names: 100, more: '' })
    expect(await show(100, { width: 1920, height: 1080 })).toEqual({ names: 100, more: '' })
  })

  it('shows the number of names that do not fit, and cuts off no name', async () => {
    const { names, more } = await show(100, { width: 800, height: 400 })
    expect(names).toBeGreaterThan(20)
    expect(more).toBe(`and ${100 - names} more`)
  })

  it('is small for few players', async () => {
    expect(await show(3, { width: 480, height: 270 })).toEqual({ names: 3, more: '' })
    const { width = 0 } = (await page.locator('.people').boundingBox()) ?? {}
    expect(width).toBe(256)
  })

  it('scrolls by touch in the menu of a phone, and hides nothing', async () => {
    const { more } = await show(100, { width: 390, height: 780, isInline: true })
    expect(more).toBe('')
    await page.locator('.people li').last().scrollIntoViewIfNeeded()
    expect(await page.evaluate(`(${isSeen})([...document.querySelectorAll('.people li')].at(-1))`)).toBe(true)
  })
})
