import { chunkCoordinate } from '../../../shared/rules/positions.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { FeedZone, View } from './world-messages.ts'

/** The approximate maximum size of zones in one message. Further zones follow in the next round. */
const bytesPerMessage = 262_144

/** The zone changes for one reader. */
export type ZoneNews = { readonly zones: readonly string[]; readonly gone: readonly string[]; readonly isAll: boolean }

const isInView = ({ box }: GameZone, { minX, maxX, minZ, maxZ }: View): boolean =>
  box.minCx <= chunkCoordinate(maxX) &&
  box.maxCx >= chunkCoordinate(minX) &&
  box.minCz <= chunkCoordinate(maxZ) &&
  box.maxCz >= chunkCoordinate(minZ)

/** Serialises each zone once for all readers. */
export const createZonePrinter = (world: string) => {
  const known = new WeakMap<GameZone, string>()
  return (zone: GameZone): string => {
    const before = known.get(zone)
    if (before !== undefined) return before
    const { rules: _rules, members: _members, box: _box, ...outline } = zone
    const shown: FeedZone = { ...outline, world }
    const text = JSON.stringify(shown)
    known.set(zone, text)
    return text
  }
}

/** The zones in the view of one reader, as they were sent. */
export const createZonesInView = (print: (zone: GameZone) => string) => {
  const told = new Map<string, GameZone>()
  return {
    /** The changes since the last message. `isAll` is false if more follow. */
    next: (zones: Iterable<GameZone>, view: View): ZoneNews => {
      const inView = new Set<string>()
      const news: string[] = []
      let bytes = 0
      let isAll = true
      for (const zone of zones) {
        if (!isInView(zone, view)) continue
        inView.add(zone.id)
        if (told.get(zone.id) === zone) continue
        if (bytes > bytesPerMessage) {
          isAll = false
          continue
        }
        const text = print(zone)
        bytes += text.length
        news.push(text)
        told.set(zone.id, zone)
      }
      const gone = [...told.keys()].filter((id) => !inView.has(id))
      for (const id of gone) told.delete(id)
      return { zones: news, gone, isAll }
    },
  }
}
