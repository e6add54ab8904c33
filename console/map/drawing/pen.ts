import type { Size, View } from '../scene/view.ts'

/** The canvas context of the map, with the view and size. */
export type Pen = { readonly context: CanvasRenderingContext2D; readonly view: View; readonly size: Size }

const font = '600 13px system-ui, sans-serif'

/** Measured widths. Names are drawn in every frame, and measuring costs more than drawing. */
const widths = new Map<string, number>()
const widthsMax = 5_000

const measure = (context: CanvasRenderingContext2D, text: string): number => {
  const known = widths.get(text)
  if (known !== undefined) return known
  if (widths.size >= widthsMax) widths.clear()
  const { width } = context.measureText(text)
  widths.set(text, width)
  return width
}

/** The part of a text that fits, and its width. */
export const fitText = ({ context }: Pen, text: string, widthMax: number): { readonly shown: string; readonly width: number } => {
  context.font = font
  let shown = text
  while (shown.length > 1 && measure(context, shown) > widthMax) shown = `${shown.slice(0, -2).trimEnd()}…`
  return { shown, width: measure(context, shown) }
}

/** Draws a text that is legible on any ground, and returns its width. */
export const drawText = (pen: Pen, text: string, left: number, top: number, widthMax: number): number => {
  const { context } = pen
  const { shown, width } = fitText(pen, text, widthMax)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 4
  context.strokeStyle = 'rgb(0 0 0 / 75%)'
  context.strokeText(shown, left, top)
  context.fillStyle = '#fff'
  context.fillText(shown, left, top)
  return width
}
