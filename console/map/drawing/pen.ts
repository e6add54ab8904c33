import type { Size, View } from '../scene/view.ts'

/** What a picture of the map is painted with. */
export type Pen = { readonly context: CanvasRenderingContext2D; readonly view: View; readonly size: Size }

/** A text that can be read over any ground. */
export const drawText = ({ context }: Pen, text: string, left: number, top: number, widthMax: number): void => {
  context.font = '600 13px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  let shown = text
  while (shown.length > 1 && context.measureText(shown).width > widthMax) shown = `${shown.slice(0, -2).trimEnd()}…`
  context.lineJoin = 'round'
  context.lineWidth = 4
  context.strokeStyle = 'rgb(0 0 0 / 75%)'
  context.strokeText(shown, left, top)
  context.fillStyle = '#fff'
  context.fillText(shown, left, top)
}
