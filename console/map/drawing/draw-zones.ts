import { nameColumn } from '../scene/columns.ts'
import type { MapZone, MapZones } from '../scene/map-zones.ts'
import { isRectangle, type Stack, stackZones } from '../scene/stack-zones.ts'
import { areaOf, columnSize, toScreen } from '../scene/view.ts'
import { words } from '../words.ts'
import { fitText, type Pen } from './pen.ts'
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

/** The outlines of one style. One fill and two strokes draw thousands of them in the time of a few. */
const drawTogether = ({ context }: Pen, inside: Path2D, edge: Path2D, style: (typeof styles)['on'], isDashed: boolean): void => {
  context.fillStyle = style.inside
  context.fill(inside)
  context.setLineDash([])
  context.lineWidth = 3.5
  context.strokeStyle = 'rgb(0 0 0 / 55%)'
  context.stroke(edge)
  context.lineWidth = 1.5
  context.strokeStyle = style.edge
  if (isDashed) context.setLineDash([6, 4])
  context.stroke(edge)
  context.setLineDash([])
}

/** The names of zones, in the middle of their zone. */
const listNames = (pen: Pen, stacks: readonly Stack[]): ZoneName[] => {
  const { view, size } = pen
  return stacks.map(({ zone, others }) => {
    const { minX, minZ, maxX, maxZ } = zone.area
    const { left, top } = toScreen(view, size, (minX + maxX + 1) / 2, (minZ + maxZ + 1) / 2)
    const text = others === 0 ? zone.name : words.map.zones.stacked(zone.name, others)
    const fits = fitText(pen, text, (maxX - minX + 1) * view.scale - 8)
    return { text: fits.shown, left, top, width: fits.width, high: (maxZ - minZ + 1) * view.scale }
  })
}

/** Draws every zone in view. Returns the names that fit. `drawPlayers` draws them. */
export const drawZones = (pen: Pen, zones: MapZones, drafted: string | undefined, chosen: string | undefined): ZoneName[] => {
  const { context, view, size } = pen
  const side = columnSize * view.scale
  const stacks = stackZones(zones.values(), areaOf(view, size), drafted, chosen)
  const named: Stack[] = []
  const paths = () => ({ inside: new Path2D(), edge: new Path2D() })
  const kinds = { on: paths(), off: paths(), chosen: paths() }
  for (const stack of stacks) {
    const { zone, isEnabled, isChosen } = stack
    const { left, top } = toScreen(view, size, zone.area.minX, zone.area.minZ)
    const wide = (zone.area.maxX - zone.area.minX + 1) * view.scale
    const high = (zone.area.maxZ - zone.area.minZ + 1) * view.scale
    if (wide < smallBelow && high < smallBelow && !isChosen) {
      context.fillStyle = isEnabled ? styles.on.edge : styles.off.edge
      context.fillRect(left, top, Math.max(wide, 1), Math.max(high, 1))
      continue
    }
    const { inside, edge } = kinds[isChosen ? 'chosen' : isEnabled ? 'on' : 'off']
    if (isRectangle(zone)) {
      inside.rect(left, top, wide, high)
      edge.rect(left, top, wide, high)
    } else {
      const shape = shapeOf(zone)
      const place = new DOMMatrix([side, 0, 0, side, left, top])
      inside.addPath(shape.inside, place)
      edge.addPath(shape.edge, place)
    }
    if (wide >= namedFrom && (named.length < namesMax || isChosen)) named.push(stack)
  }
  for (const kind of ['on', 'off', 'chosen'] as const) {
    drawTogether(pen, kinds[kind].inside, kinds[kind].edge, styles[kind], kind === 'off')
  }
  return listNames(
    pen,
    named.toSorted((one, other) => Number(other.isChosen) - Number(one.isChosen)),
  )
}
