import type { Size, View } from '../scene/view.ts'

/** The canvas context of the map, with the view and size. */
export type Pen = { readonly context: CanvasRenderingContext2D; readonly view: View; readonly size: Size }

/** The part of a text that fits, and its width. */
export const fitText = ({ context }: Pen, text: string, widthMax: number): { readonly shown: string; readonly width: number } => {
  context.font = '600 13px system-ui, sans-serif'
  let shown = text
  while (shown.length > 1 && context.measureText(shown).width > widthMax) shown = `${shown.slice(0, -2).trimEnd()}…`
  return { shown, width: context.measureText(shown).width }
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
