import { chunkBlocks, chunkKey } from '../../rules/positions.ts'
import type { LocalClocks } from './local-clocks.ts'
import type { Zone, ZoneRules } from './zone.ts'
import { isWithinHours, nextHoursChange } from './zone-hours.ts'

/** The area of a zone. */
type ZoneArea = Pick<Zone, 'yMin' | 'yMax' | 'chunks'>
export type IndexedZone = ZoneArea & Pick<Zone, 'id'>

/** The zones of one world by place. Finds the zone of a block in constant time, with any number of zones. */
export type ZoneIndex<Z extends IndexedZone> = {
  readonly size: number
  find(id: string): Z | undefined
  /** In no particular order. */
  list(): Iterable<Z>
  /** The zone that contains the block at this position, which may be fractional. */
  zoneAt(x: number, y: number, z: number): Z | undefined
  /** The zones of a column, lowest first. */
  zonesIn(cx: number, cz: number): readonly Z[]
  /** A zone that overlaps the area, except the one with that id. Costs one look-up per column. */
  findOverlap(area: ZoneArea, exceptId?: string): Z | undefined
  /** Adds or replaces a zone. Costs one step per column of both, and one more for each lower zone in the column. */
  put(zone: Z): void
  remove(id: string): void
}

/**
 * The zones of a column as a linked list, lowest first. Columns with the same zones share one list, so a look-up in a column with one
 * zone reads one object only.
 */
type Span<Z> = { readonly yMin: number; readonly yMax: number; readonly zone: Z; readonly above: Span<Z> | undefined }

const zonesOf = <Z>(lowest: Span<Z> | undefined): Z[] => {
  const zones: Z[] = []
  for (let span = lowest; span !== undefined; span = span.above) zones.push(span.zone)
  return zones
}

/** The list with one more zone. It shares the part above with the old list. */
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
    const list = columns.get(key)
    if (!changed.has(list)) changed.set(list, change(list))
    const next = changed.get(list)
    if (next === undefined) columns.delete(key)
    else columns.set(key, next)
  }
}

/** An empty index. It keeps references to its zones, which must not change. */
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

/** The rules of a zone that has none of its own. */
export const defaultRules: ZoneRules = { build: 'permission', enter: 'everyone' }

export const rulesOf = ({ rules }: Pick<Zone, 'rules'>): ZoneRules => rules ?? defaultRules

/** Whether the player is the owner or a member of the zone. */
export const isOfZone = ({ owner, members = [] }: Pick<Zone, 'owner' | 'members'>, playerId: string): boolean =>
  owner === playerId || members.includes(playerId)

type Hours = Pick<Zone, 'enabled' | 'opensAt' | 'closesAt' | 'expiresAt' | 'hours' | 'timeZone'>

/** Whether the zone applies to players at that time: enabled, within its hours, and not expired. */
export const isZoneActive = (zone: Hours, nowMs: number, clocks: LocalClocks): boolean => {
  const { enabled, opensAt, closesAt, expiresAt } = zone
  return (
    enabled &&
    (opensAt === undefined || nowMs >= Date.parse(opensAt)) &&
    (closesAt === undefined || nowMs < Date.parse(closesAt)) &&
    (expiresAt === undefined || nowMs < Date.parse(expiresAt)) &&
    isWithinHours(clocks, zone, nowMs)
  )
}

/** The next time at which a zone starts or stops being active by itself; undefined if there is none. */
export const nextZoneChange = (zone: Hours, nowMs: number, clocks: LocalClocks): number | undefined => {
  const { opensAt, closesAt, expiresAt } = zone
  const instants = [opensAt, closesAt, expiresAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
  const coming = [...instants, nextHoursChange(clocks, zone, nowMs) ?? 0].filter((at) => at > nowMs)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

/** The player who builds in a zone, with their permission. */
type ZoneBuilder = {
  readonly playerId: string
  /** Whether the player holds `zone.build` at that place. */
  readonly holds: boolean
  /** Whether the player holds it by a grant for exactly that zone. */
  readonly holdsByGrant: boolean
}

/** Whether the rules of a zone allow the player to build, apart from `world.build`. */
export const mayBuildIn = (
  zone: Pick<Zone, 'rules' | 'members' | 'owner'>,
  { playerId, holds, holdsByGrant }: ZoneBuilder,
): boolean => {
  const { build } = rulesOf(zone)
  if (build === 'permission') return holds
  if (build === 'members') return isOfZone(zone, playerId) || holdsByGrant
  return build === 'everyone'
}

/** Whether the player may enter a zone. */
export const mayEnter = (zone: Pick<Zone, 'rules' | 'members' | 'owner'>, playerId: string): boolean =>
  rulesOf(zone).enter === 'everyone' || isOfZone(zone, playerId)
