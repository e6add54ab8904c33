import { clusterPlayers } from '../scene/cluster-players.ts'
import type { MapPlayer } from '../scene/live-world.ts'
import { toScreen } from '../scene/view.ts'
import { drawText, fitText, type Pen } from './pen.ts'
import { type Box, boxOf, placeNames, placeZoneNames, type ZoneName } from './place-names.ts'

const dot = 6
/** The radius of a marker of several players. */
const crowd = 11
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

type Shown = {
  readonly players: readonly MapPlayer[]
  readonly chosen: string | undefined
  readonly spawn: { readonly x: number; readonly z: number } | undefined
  readonly zoneNames: readonly ZoneName[]
}

const drawDot = ({ context }: Pen, left: number, top: number, radius: number): void => {
  context.beginPath()
  context.arc(left, top, radius, 0, Math.PI * 2)
  context.fillStyle = '#ffb020'
  context.fill()
  context.lineWidth = 2
  context.strokeStyle = '#201500'
  context.stroke()
}

const drawCount = ({ context }: Pen, left: number, top: number, count: number): void => {
  context.font = `700 ${count < 100 ? 12 : 10}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = '#201500'
  context.fillText(String(count), left, top)
}

/** Marks where new players appear: a flag. Returns its rectangle. */
const drawSpawn = (pen: Pen, spawn: { readonly x: number; readonly z: number }): Box => {
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
  return { left: left + 6, top: top - 10, width: 20, high: 26 }
}

/**
 * Draws the spawn, the names of zones and the players, the selected one with a ring. Players in one place are one marker with their
 * number. Nothing covers a player. A name away from its dot is joined to it by a line. Names that would overlap are left out; the list
 * beside the map has them.
 */
export const drawPlayers = (pen: Pen, { players, chosen, spawn, zoneNames }: Shown, ratio: number): void => {
  const { context, view, size } = pen
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  const shown = clusterPlayers(players, view.scale)
    .map(({ x, z, players: here }) => ({
      ...toScreen(view, size, x, z),
      count: here.length,
      name: here.length === 1 ? (here[0]?.displayName ?? '') : '',
      isChosen: here.some(({ playerId }) => playerId === chosen),
    }))
    .filter(
      ({ left, top }) => left >= -nameWidthMax && top >= -60 && left <= size.width + nameWidthMax && top <= size.height + 60,
    )
  const single = shown.filter(({ count }) => count === 1)
  const crowds = shown.filter(({ count }) => count > 1)
  const square = ({ left, top }: { readonly left: number; readonly top: number }, radius: number): Box => ({
    left,
    top,
    width: radius * 2 + 4,
    high: radius * 2 + 4,
  })
  const flag = spawn === undefined ? [] : [drawSpawn(pen, spawn)]
  const marks = [...flag, ...crowds.map((one) => square(one, crowd))]
  const written = placeZoneNames(zoneNames, [...marks, ...single.map((one) => square(one, dot))])
  for (const { text, left, top, width } of written) drawText(pen, text, left, top, width + 1)
  const places = placeNames(
    single.map(({ left, top, name }) => ({ left, top, ...fitText(pen, name, nameWidthMax) })),
    [...marks, ...written.map(boxOf)],
  )
  for (const [index, { left, top }] of single.entries()) {
    const at = places[index]
    if (at !== undefined && Math.abs(at.top - top) > joinedFrom) drawLeader(pen, left, top, at.top)
  }
  for (const { left, top, count, isChosen } of shown) {
    const radius = count === 1 ? dot : crowd
    if (isChosen) {
      context.beginPath()
      context.arc(left, top, radius + 5, 0, Math.PI * 2)
      context.lineWidth = 3
      context.strokeStyle = '#fff'
      context.stroke()
    }
    drawDot(pen, left, top, radius)
    if (count > 1) drawCount(pen, left, top, count)
  }
  for (const [index, { name }] of single.entries()) {
    const at = places[index]
    if (at !== undefined) drawText(pen, name, at.left, at.top, nameWidthMax)
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
