import { nameColumn } from '../scene/columns.ts'
import type { MapZone, MapZones } from '../scene/map-zones.ts'
import { areaOf, columnSize, doAreasMeet, toScreen } from '../scene/view.ts'
import { drawText, type Pen } from './pen.ts'
import type { ZoneName } from './place-names.ts'

type Shape = { readonly inside: Path2D; readonly edge: Path2D }

const shapes = new WeakMap<MapZone, Shape>()

/** The outline of a zone in columns, from its corner. */
const shapeOf = (zone: MapZone): Shape => {
  const known = shapes.get(zone)
  if (known !== undefined) return known
  const columns = new Set(zone.chunks.map(({ cx, cz }) => nameColumn(cx, cz)))
  const inside = new Path2D()
  const edge = new Path2D()
  const line = (x: number, z: number, toX: number, toZ: number): void => {
    edge.moveTo(x, z)
    edge.lineTo(toX, toZ)
  }
  for (const { cx, cz } of zone.chunks) {
    const [x, z] = [cx - zone.area.minX / columnSize, cz - zone.area.minZ / columnSize]
    inside.rect(x, z, 1, 1)
    if (!columns.has(nameColumn(cx, cz - 1))) line(x, z, x + 1, z)
    if (!columns.has(nameColumn(cx, cz + 1))) line(x, z + 1, x + 1, z + 1)
    if (!columns.has(nameColumn(cx - 1, cz))) line(x, z, x, z + 1)
    if (!columns.has(nameColumn(cx + 1, cz))) line(x + 1, z, x + 1, z + 1)
  }
  const shape = { inside, edge }
  shapes.set(zone, shape)
  return shape
}

const styles = {
  on: { inside: 'rgb(255 255 255 / 18%)', edge: '#fff' },
  off: { inside: 'rgb(160 160 160 / 12%)', edge: '#b9b9b9' },
  chosen: { inside: 'rgb(80 220 255 / 30%)', edge: '#7fe8ff' },
}

/** Leaves out names that do not fit. */
const namedFrom = 44
const namesMax = 200
const smallBelow = 6

const drawShape = ({ context, view, size }: Pen, zone: MapZone, style: (typeof styles)['on']): void => {
  const { left, top } = toScreen(view, size, zone.area.minX, zone.area.minZ)
  const side = columnSize * view.scale
  const { inside, edge } = shapeOf(zone)
  context.save()
  context.translate(left, top)
  context.scale(side, side)
  context.fillStyle = style.inside
  context.fill(inside)
  context.lineWidth = 3.5 / side
  context.strokeStyle = 'rgb(0 0 0 / 55%)'
  context.stroke(edge)
  context.lineWidth = 1.5 / side
  context.strokeStyle = style.edge
  if (!zone.enabled) context.setLineDash([6 / side, 4 / side])
  context.stroke(edge)
  context.restore()
}

/** Draws every zone in view. Returns the rectangles of the names that fit. */
export const drawZones = (pen: Pen, zones: MapZones, drafted: string | undefined, chosen: string | undefined): ZoneName[] => {
  const { context, view, size } = pen
  const area = areaOf(view, size)
  const named: MapZone[] = []
  for (const zone of zones.values()) {
    if (zone.id === drafted || !doAreasMeet(zone.area, area)) continue
    const wide = (zone.area.maxX - zone.area.minX + 1) * view.scale
    const high = (zone.area.maxZ - zone.area.minZ + 1) * view.scale
    if (wide < smallBelow && high < smallBelow && zone.id !== chosen) {
      const { left, top } = toScreen(view, size, zone.area.minX, zone.area.minZ)
      context.fillStyle = zone.enabled ? styles.on.edge : styles.off.edge
      context.fillRect(left, top, Math.max(wide, 1), Math.max(high, 1))
      continue
    }
    drawShape(pen, zone, zone.id === chosen ? styles.chosen : zone.enabled ? styles.on : styles.off)
    if (wide >= namedFrom && named.length < namesMax) named.push(zone)
  }
  return named.map(({ name, area: own }) => {
    const { left, top } = toScreen(view, size, (own.minX + own.maxX + 1) / 2, (own.minZ + own.maxZ + 1) / 2)
    return { text: name, left, top, width: drawText(pen, name, left, top, (own.maxX - own.minX + 1) * view.scale - 8) }
  })
}
