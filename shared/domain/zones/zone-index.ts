import { chunkBlocks, chunkKey } from '../../rules/positions.ts'
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
  /** Adds a zone in place of the one with its id. Costs as many steps as the two have columns, and those of different zones one more for each below. */
  put(zone: Z): void
  remove(id: string): void
}

/** The zones of a column as a list, the lowest first; columns of the same zones share one. In a column of one zone a look-up reads one object, and nothing of the zone. */
type Span<Z> = { readonly yMin: number; readonly yMax: number; readonly zone: Z; readonly above: Span<Z> | undefined }

const zonesOf = <Z>(lowest: Span<Z> | undefined): Z[] => {
  const zones: Z[] = []
  for (let span = lowest; span !== undefined; span = span.above) zones.push(span.zone)
  return zones
}

/** The list with one zone more; what lies above it is shared. */
const withZone = <Z extends IndexedZone>(lowest: Span<Z> | undefined, zone: Z): Span<Z> =>
  lowest === undefined || zone.yMin < lowest.yMin
    ? { yMin: zone.yMin, yMax: zone.yMax, zone, above: lowest }
    : { ...lowest, above: withZone(lowest.above, zone) }

const withoutZone = <Z extends IndexedZone>(lowest: Span<Z> | undefined, id: string): Span<Z> | undefined => {
  if (lowest === undefined) return undefined
  return lowest.zone.id === id ? lowest.above : { ...lowest, above: withoutZone(lowest.above, id) }
}

/** Changes the lists of these columns, each list once. */
const changeLists = <Z extends IndexedZone>(
  columns: Map<number, Span<Z>>,
  chunks: Z['chunks'],
  change: (lowest: Span<Z> | undefined) => Span<Z> | undefined,
): void => {
  const changed = new Map<Span<Z> | undefined, Span<Z> | undefined>()
  for (const { cx, cz } of chunks) {
    const key = chunkKey(cx, cz)
    const there = columns.get(key)
    if (!changed.has(there)) changed.set(there, change(there))
    const next = changed.get(there)
    if (next === undefined) columns.delete(key)
    else columns.set(key, next)
  }
}

/** An empty index; it keeps the zones that it is given, which must not change. */
export const createZoneIndex = <Z extends IndexedZone>(): ZoneIndex<Z> => {
  const columns = new Map<number, Span<Z>>()
  const byId = new Map<string, Z>()

  const remove = (id: string): void => {
    const zone = byId.get(id)
    if (zone === undefined) return
    byId.delete(id)
    changeLists<Z>(columns, zone.chunks, (lowest) => withoutZone(lowest, id))
  }

  return {
    get size() {
      return byId.size
    },
    find: (id) => byId.get(id),
    list: () => byId.values(),
    zoneAt: (x, y, z) => {
      const height = Math.floor(y)
      let span = columns.get(chunkKey(Math.floor(x / chunkBlocks), Math.floor(z / chunkBlocks)))
      while (span !== undefined && span.yMax < height) span = span.above
      return span !== undefined && span.yMin <= height ? span.zone : undefined
    },
    zonesIn: (cx, cz) => zonesOf(columns.get(chunkKey(cx, cz))),
    findOverlap: ({ yMin, yMax, chunks }, exceptId) => {
      for (const { cx, cz } of chunks)
        for (let span = columns.get(chunkKey(cx, cz)); span !== undefined && span.yMin <= yMax; span = span.above)
          if (span.yMax >= yMin && span.zone.id !== exceptId) return span.zone
      return undefined
    },
    put: (zone) => {
      remove(zone.id)
      byId.set(zone.id, zone)
      changeLists<Z>(columns, zone.chunks, (lowest) => withZone(lowest, zone))
    },
    remove,
  }
}
