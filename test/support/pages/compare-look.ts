import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

const folder = 'test/browser/looks'
const refused = '.build/looks'

/** A font of our own, whose letters are all the same box: a text looks the same with any fonts and on any system. */
const font = await readFile(join(import.meta.dirname, 'boxes.ttf'), 'base64')

/** Hides all that may differ between two runs: animations, times, numbers, ids, charts, maps and scenes. */
const steady = `(async () => {
  if (!document.fonts.check('16px Boxes') || window.looks === undefined) {
    const bytes = Uint8Array.from(atob('${font}'), (one) => one.charCodeAt(0))
    document.fonts.add(await new FontFace('Boxes', bytes).load())
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(\`
      *, *::before, *::after { font-family: Boxes !important; animation: none !important; transition: none !important; caret-color: transparent !important }
      canvas, .code, .chart *, .toasts { visibility: hidden !important }
    \`)
    window.looks = sheet
  }
  if (!document.adoptedStyleSheets.includes(window.looks)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.looks]
  document.activeElement?.blur()
  scrollTo(0, 0)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node.parentElement?.closest('script, style')) continue
    const text = node.parentElement?.closest('time') ? 'a moment ago' : node.data.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replace(/[0-9][0-9.,:]*/g, '0')
    if (text !== node.data) node.data = text
  }
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const size = () => [...document.querySelectorAll('body *')].map((one) => one.offsetTop + ' ' + one.offsetWidth).join()
  for (let before = '', frames = 0; frames < 30; frames += 1) {
    await frame()
    const now = size()
    if (now === before) break
    before = now
  }
})()`

/** Each pixel of the small picture is the mean of a square of that many pixels. */
const cell = 4
/** Colours are stored in steps, for small files. */
const step = 16
/** Pixels around each one that count with it, so that a line may be off by a pixel. */
const blur = 1
/** Differences up to this are edges of letters. */
const toleratedColour = 36
/** A picture may differ in this part of its pixels. */
const toleratedPart = 0.007

const shrink = ({ data, width, height }: PNG): PNG => {
  const small = new PNG({ width: Math.floor(width / cell), height: Math.floor(height / cell) })
  for (let y = 0; y < small.height; y += 1)
    for (let x = 0; x < small.width; x += 1) {
      const to = (y * small.width + x) * 4
      for (let part = 0; part < 3; part += 1) {
        let sum = 0
        for (let dy = 0; dy < cell; dy += 1)
          for (let dx = 0; dx < cell; dx += 1) sum += data[((y * cell + dy) * width + x * cell + dx) * 4 + part] ?? 0
        small.data[to + part] = Math.min(255, Math.round(sum / cell ** 2 / step) * step)
      }
      small.data[to + 3] = 255
    }
  return small
}

/** The mean of a channel around a pixel. */
const meanAround = ({ data, width, height }: PNG, x: number, y: number, part: number): number => {
  let sum = 0
  let count = 0
  for (let v = Math.max(0, y - blur); v <= Math.min(height - 1, y + blur); v += 1)
    for (let u = Math.max(0, x - blur); u <= Math.min(width - 1, x + blur); u += 1) {
      sum += data[(v * width + u) * 4 + part] ?? 0
      count += 1
    }
  return sum / count
}

/** The part of the pixels that differ, from 0 to 1. Pictures of different sizes differ completely. */
const countDifferent = (one: PNG, other: PNG): number => {
  if (one.width !== other.width || one.height !== other.height) return 1
  let differing = 0
  for (let y = 0; y < one.height; y += 1)
    for (let x = 0; x < one.width; x += 1)
      if ([0, 1, 2].some((part) => Math.abs(meanAround(one, x, y, part) - meanAround(other, x, y, part)) > toleratedColour))
        differing += 1
  return differing / (one.width * one.height)
}

const takeLook = async (page: Page): Promise<PNG> => {
  await page.evaluate(steady)
  return shrink(PNG.sync.read(await page.screenshot()))
}

/** A page that still loads differs at first. */
const attempts = 30
const pauseMs = 1_000

/**
 * Compares the visible part of a page with its stored picture. Returns its differences, which are none or one. With `UPDATE_LOOKS`
 * set it stores the picture instead. A picture that differs is written to `.build/looks`.
 */
export const compareLook = async (page: Page, name: string): Promise<readonly string[]> => {
  await page.mouse.move(0, 0)
  const path = join(folder, `${name}.png`)
  const write = async (into: string, look: PNG): Promise<void> => {
    await mkdir(into, { recursive: true })
    await writeFile(join(into, `${name}.png`), PNG.sync.write(look, { colorType: 2, deflateLevel: 9 }))
  }
  let look = await takeLook(page)
  if (process.env.UPDATE_LOOKS !== undefined) {
    await write(folder, look)
    return []
  }
  const stored = await readFile(path).catch(() => undefined)
  if (stored === undefined) return [`${path} is missing. Run the suite with UPDATE_LOOKS=1 to store it.`]
  const expected = PNG.sync.read(stored)
  let part = countDifferent(expected, look)
  for (let attempt = 1; attempt < attempts && part > toleratedPart; attempt += 1) {
    await page.waitForTimeout(pauseMs)
    look = await takeLook(page)
    part = countDifferent(expected, look)
  }
  if (part <= toleratedPart) return []
  await write(refused, look)
  return [
    `${name}: ${(part * 100).toFixed(1)} % differs from ${path}. Look at ${refused}/${name}.png. If it is right, run the suite with UPDATE_LOOKS=1.`,
  ]
}
