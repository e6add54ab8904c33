import type { Size, View } from '../scene/view.ts'

/** What a picture of the map is painted with. */
export type Pen = { readonly context: CanvasRenderingContext2D; readonly view: View; readonly size: Size }

/** As much of a text as fits, and how wide that is. */
export const fitText = ({ context }: Pen, text: string, widthMax: number): { readonly shown: string; readonly width: number } => {
  context.font = '600 13px system-ui, sans-serif'
  let shown = text
  while (shown.length > 1 && context.measureText(shown).width > widthMax) shown = `${shown.slice(0, -2).trimEnd()}…`
  return { shown, width: context.measureText(shown).width }
}

/** Writes a text that can be read over any ground, and tells how wide it is. */
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
