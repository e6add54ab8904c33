import type { MapPlayer } from '../scene/live-world.ts'
import { toScreen } from '../scene/view.ts'
import { drawText, fitText, type Pen } from './pen.ts'
import { type NamePlace, placeNames } from './place-names.ts'

const dot = 6
const nameWidthMax = 160

/** Draws the players. Names that would overlap are left out; the list beside the map has them. */
export const drawPlayers = (pen: Pen, players: readonly MapPlayer[], written: readonly NamePlace[], ratio: number): void => {
  const { context, view, size } = pen
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  const shown = players
    .map(({ position, displayName }) => ({ ...toScreen(view, size, position.x, position.z), displayName }))
    .filter(
      ({ left, top }) => left >= -nameWidthMax && top >= -60 && left <= size.width + nameWidthMax && top <= size.height + 60,
    )
  for (const { left, top } of shown) {
    context.beginPath()
    context.arc(left, top, dot, 0, Math.PI * 2)
    context.fillStyle = '#ffb020'
    context.fill()
    context.lineWidth = 2
    context.strokeStyle = '#201500'
    context.stroke()
  }
  const wanted = shown.map(({ left, top, displayName }) => ({ left, top, ...fitText(pen, displayName, nameWidthMax) }))
  const tops = placeNames(wanted, written)
  for (const [index, { left, displayName }] of shown.entries()) {
    const top = tops[index]
    if (top !== undefined) drawText(pen, displayName, left, top, nameWidthMax)
  }
}

/** Marks the centre, on which the map's keys act. */
export const drawCross = ({ context, size }: Pen): void => {
  const [left, top] = [size.width / 2, size.height / 2]
  for (const [width, colour] of [
    [4, 'rgb(0 0 0 / 70%)'],
    [2, '#fff'],
  ] as const) {
    context.beginPath()
    context.moveTo(left - 9, top)
    context.lineTo(left + 9, top)
    context.moveTo(left, top - 9)
    context.lineTo(left, top + 9)
    context.lineWidth = width
    context.strokeStyle = colour
    context.stroke()
  }
}
