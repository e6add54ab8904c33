import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

export type Rgb = readonly [red: number, green: number, blue: number]
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Takes a screenshot as numbers; coordinates are those of the page, whatever the pixel ratio. */
export const takePicture = async (page: Page) => {
  const png = PNG.sync.read(await page.screenshot())
  const scale = png.width / (page.viewportSize()?.width ?? png.width)
  const at = (x: number, y: number): Rgb => {
    const from = (Math.floor(y * scale) * png.width + Math.floor(x * scale)) * 4
    return [png.data[from] ?? 0, png.data[from + 1] ?? 0, png.data[from + 2] ?? 0]
  }
  const list = ({ x, y, width, height }: Box): readonly Rgb[] =>
    Array.from({ length: width * height }, (_, index) => at(x + (index % width), y + Math.floor(index / width)))
  return { width: png.width, height: png.height, at, list }
}

export type Picture = Awaited<ReturnType<typeof takePicture>>

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

export const meanColour = (pixels: readonly Rgb[]): Rgb =>
  [0, 1, 2].map((part) => mean(pixels.map((pixel) => pixel[part] ?? 0))) as unknown as Rgb

/** The variance of pixels: 0 for a single colour. */
export const varianceOf = (pixels: readonly Rgb[]): number => {
  const grey = pixels.map((pixel) => mean(pixel))
  const middle = mean(grey)
  return mean(grey.map((value) => (value - middle) ** 2))
}

/** The largest difference between two colours in one channel. */
export const distance = (a: Rgb, b: Rgb): number => Math.max(...a.map((part, at) => Math.abs(part - (b[at] ?? 0))))

/** The number of pixels in a box that have changed. */
export const countChanged = (before: Picture, after: Picture, box: Box, least = 40): number => {
  const was = before.list(box)
  return after.list(box).filter((pixel, at) => distance(pixel, was[at] ?? [0, 0, 0]) > least).length
}
