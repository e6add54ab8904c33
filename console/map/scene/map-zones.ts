import { areaOfColumns, type Column, type Columns, nameColumn, toColumns } from './columns.ts'
import { type Area, columnSize } from './view.ts'

type ZoneRecord = {
  readonly id: string
  readonly name: string
  readonly yMin: number
  readonly yMax: number
  readonly chunks: readonly Column[]
  readonly enabled: boolean
}

/** A zone as the map draws it. */
export type MapZone = ZoneRecord & { readonly area: Area }

export type MapZones = ReadonlyMap<string, MapZone>

const nowhere: Area = { minX: 1, minZ: 1, maxX: 0, maxZ: 0 }

export const toMapZone = ({ id, name, yMin, yMax, chunks, enabled }: ZoneRecord): MapZone => ({
  id,
  name,
  yMin,
  yMax,
  chunks,
  enabled,
  area: areaOfColumns(chunks) ?? nowhere,
})

export const addZones = (known: MapZones, news: readonly ZoneRecord[], gone: readonly string[] = []): MapZones => {
  const next = new Map(known)
  for (const id of gone) next.delete(id)
  for (const zone of news) next.set(zone.id, toMapZone(zone))
  return next
}

/** Merges a list of zones with feed updates that arrived while it loaded: the difference of `before` and `now`. */
export const addListed = (listed: readonly ZoneRecord[], before: MapZones, now: MapZones): MapZones => {
  const news = [...now.values()].filter((zone) => before.get(zone.id) !== zone)
  const gone = [...before.keys()].filter((id) => !now.has(id))
  return addZones(addZones(new Map(), listed), news, gone)
}

/** The side of a cell of the index, in columns. */
const cellSide = 16
/** A zone over more cells is in no cell: it is looked at each time. */
const cellsMax = 64

type ZoneIndex = { readonly cells: ReadonlyMap<string, readonly MapZone[]>; readonly large: readonly MapZone[] }

const indexes = new WeakMap<MapZones, ZoneIndex>()

const cellOf = (column: number): number => Math.floor(column / cellSide)

const cellAt = (block: number): number => cellOf(block / columnSize)

const indexZones = (zones: MapZones): ZoneIndex => {
  const known = indexes.get(zones)
  if (known !== undefined) return known
  const cells = new Map<string, MapZone[]>()
  const large: MapZone[] = []
  for (const zone of zones.values()) {
    const [fromX, toX] = [cellAt(zone.area.minX), cellAt(zone.area.maxX)]
    const [fromZ, toZ] = [cellAt(zone.area.minZ), cellAt(zone.area.maxZ)]
    if ((toX - fromX + 1) * (toZ - fromZ + 1) > cellsMax) large.push(zone)
    else
      for (let x = fromX; x <= toX; x += 1)
        for (let z = fromZ; z <= toZ; z += 1) {
          const name = nameColumn(x, z)
          const cell = cells.get(name)
          if (cell === undefined) cells.set(name, [zone])
          else cell.push(zone)
        }
  }
  const index = { cells, large }
  indexes.set(zones, index)
  return index
}

/** Zones whose columns include this one. */
export const findZonesAt = (zones: MapZones, { cx, cz }: Column): MapZone[] => {
  const { cells, large } = indexZones(zones)
  return [...(cells.get(nameColumn(cellOf(cx), cellOf(cz))) ?? []), ...large].filter(({ chunks }) =>
    chunks.some((one) => one.cx === cx && one.cz === cz),
  )
}

const isOfColumns = ({ chunks }: MapZone, columns: Columns): boolean =>
  chunks.length === columns.size && chunks.every(({ cx, cz }) => columns.has(nameColumn(cx, cz)))

/** Whether two readings of a zone are the same to the map. */
export const isSameZone = (one: MapZone, other: MapZone): boolean =>
  one.name === other.name && one.yMin === other.yMin && one.yMax === other.yMax && isOfColumns(one, toColumns(other.chunks))
