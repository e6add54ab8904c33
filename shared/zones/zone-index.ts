import { chunkBlocks } from '../worlds/space/positions.ts'
import { type ColumnTable, createColumnTable } from './blocks/column-table.ts'
import type { Zone } from './zone.ts'

/** Where a zone is. */
export type ZoneArea = Pick<Zone, 'yMin' | 'yMax' | 'chunks'>
export type IndexedZone = ZoneArea & Pick<Zone, 'id'>

/** The zones of one world by place: which one has a block, in constant time however many there are. */
export type ZoneIndex<Z extends IndexedZone> = {
  readonly size: number
  find(id: string): Z | undefined
  /** In no order. */
  list(): Iterable<Z>
  /** The zone that has this block; of a fraction counts the block that it lies in. */
  zoneAt(x: number, y: number, z: number): Z | undefined
  /** The zones of a column, the lowest first. */
  zonesIn(cx: number, cz: number): readonly Z[]
  /** A zone that has a block of the area, the one with that id aside; costs a look-up a column. */
  findOverlap(area: ZoneArea, exceptId?: string): Z | undefined
  /** Adds a zone in place of the one with its id. Costs as many steps as the two have columns. */
  put(zone: Z): void
  remove(id: string): void
}

/** The zones of a column as a list, the lowest first. In a column of one zone a look-up reads one object, and nothing of the zone. */
type Span<Z> = { readonly yMin: number; readonly yMax: number; readonly zone: Z; readonly above: Span<Z> | undefined }

const zonesOf = <Z>(lowest: Span<Z> | undefined): Z[] => {
  const zones: Z[] = []
  for (let span = lowest; span !== undefined; span = span.above) zones.push(span.zone)
  return zones
}

const spansOf = <Z extends IndexedZone>(zones: readonly Z[]): Span<Z> | undefined =>
  zones
    .toSorted((one, other) => other.yMin - one.yMin)
    .reduce<Span<Z> | undefined>((above, zone) => ({ yMin: zone.yMin, yMax: zone.yMax, zone, above }), undefined)

const addTo = <Z extends IndexedZone>(columns: ColumnTable<Span<Z>>, zone: Z): void => {
  // Nearly every column has one zone: those of a zone share one list.
  const alone = spansOf([zone])
  for (const { cx, cz } of zone.chunks) {
    const there = columns.get(cx, cz)
    columns.set(cx, cz, there === undefined ? alone : spansOf([...zonesOf(there), zone]))
  }
}

const takeFrom = <Z extends IndexedZone>(columns: ColumnTable<Span<Z>>, { id, chunks }: Z): void => {
  for (const { cx, cz } of chunks) columns.set(cx, cz, spansOf(zonesOf(columns.get(cx, cz)).filter((zone) => zone.id !== id)))
}

/** An empty index; it keeps the zones that it is given, which must not change. */
export const createZoneIndex = <Z extends IndexedZone>(): ZoneIndex<Z> => {
  const columns = createColumnTable<Span<Z>>()
  const byId = new Map<string, Z>()

  const remove = (id: string): void => {
    const zone = byId.get(id)
    if (zone === undefined) return
    byId.delete(id)
    takeFrom(columns, zone)
  }

  return {
    get size() {
      return byId.size
    },
    find: (id) => byId.get(id),
    list: () => byId.values(),
    zoneAt: (x, y, z) => {
      const height = Math.floor(y)
      let span = columns.get(Math.floor(x / chunkBlocks), Math.floor(z / chunkBlocks))
      while (span !== undefined && span.yMax < height) span = span.above
      return span !== undefined && span.yMin <= height ? span.zone : undefined
    },
    zonesIn: (cx, cz) => zonesOf(columns.get(cx, cz)),
    findOverlap: ({ yMin, yMax, chunks }, exceptId) => {
      for (const { cx, cz } of chunks)
        for (let span = columns.get(cx, cz); span !== undefined && span.yMin <= yMax; span = span.above)
          if (span.yMax >= yMin && span.zone.id !== exceptId) return span.zone
      return undefined
    },
    put: (zone) => {
      remove(zone.id)
      byId.set(zone.id, zone)
      addTo(columns, zone)
    },
    remove,
  }
}
