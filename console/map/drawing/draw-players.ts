import type { MapPlayer } from '../scene/live-world.ts'
import { toScreen } from '../scene/view.ts'
import { drawText, fitText, type Pen } from './pen.ts'
import { placeNames, type ZoneName } from './place-names.ts'

const dot = 6
const nameWidthMax = 160

/** A name further from its dot than this is joined to it by a line. */
const joinedFrom = 20

/** A line from a dot to its name. */
const drawLeader = ({ context }: Pen, left: number, from: number, to: number): void => {
  context.beginPath()
  context.moveTo(left, from)
  context.lineTo(left, to + (to < from ? 9 : -9))
  context.lineWidth = 1.5
  context.strokeStyle = '#fff'
  context.stroke()
}

type Selected = { readonly players: readonly MapPlayer[]; readonly chosen: string | undefined }

/**
 * Draws the players, the selected one with a ring. A name away from its dot is joined to it by a line. Names that would overlap are left
 * out; the list beside the map has them.
 */
export const drawPlayers = (pen: Pen, { players, chosen }: Selected, written: readonly ZoneName[], ratio: number): void => {
  const { context, view, size } = pen
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  const shown = players
    .map(({ position, displayName, playerId }) => ({
      ...toScreen(view, size, position.x, position.z),
      displayName,
      isChosen: playerId === chosen,
    }))
    .filter(
      ({ left, top }) => left >= -nameWidthMax && top >= -60 && left <= size.width + nameWidthMax && top <= size.height + 60,
    )
  const wanted = shown.map(({ left, top, displayName }) => ({ left, top, ...fitText(pen, displayName, nameWidthMax) }))
  const places = placeNames(wanted, written)
  for (const [index, { left, top }] of shown.entries()) {
    const at = places[index]
    if (at !== undefined && Math.abs(at.top - top) > joinedFrom) drawLeader(pen, left, top, at.top)
  }
  for (const { left, top, isChosen } of shown) {
    if (isChosen) {
      context.beginPath()
      context.arc(left, top, dot + 5, 0, Math.PI * 2)
      context.lineWidth = 3
      context.strokeStyle = '#fff'
      context.stroke()
    }
    context.beginPath()
    context.arc(left, top, dot, 0, Math.PI * 2)
    context.fillStyle = '#ffb020'
    context.fill()
    context.lineWidth = 2
    context.strokeStyle = '#201500'
    context.stroke()
  }
  // The name of a zone stays readable where players stand.
  for (const { text, left, top, width } of written) drawText(pen, text, left, top, width + 1)
  for (const [index, { displayName }] of shown.entries()) {
    const at = places[index]
    if (at !== undefined) drawText(pen, displayName, at.left, at.top, nameWidthMax)
  }
}

/** Marks where new players appear: a flag. */
export const drawSpawn = (pen: Pen, spawn: { readonly x: number; readonly z: number }): void => {
  const { context, view, size } = pen
  const { left, top } = toScreen(view, size, spawn.x, spawn.z)
  context.beginPath()
  context.moveTo(left, top)
  context.lineTo(left, top - 20)
  context.lineTo(left + 13, top - 15)
  context.lineTo(left, top - 10)
  context.lineWidth = 4
  context.lineJoin = 'round'
  context.strokeStyle = 'rgb(0 0 0 / 70%)'
  context.stroke()
  context.fillStyle = '#ffd23f'
  context.fill()
  context.lineWidth = 2
  context.strokeStyle = '#fff'
  context.stroke()
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
