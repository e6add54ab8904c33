import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { LoadedColumn } from '../world/columns/loaded-world.ts'
import type { ToldChange } from '../world/edits/tell-changes.ts'
import type { FeedIndex } from './feed-index.ts'
import type { ChangedBlock } from './feed-messages.ts'
import type { ZoneFeed } from './zone-feed.ts'

/** Consecutive changes of one player in one zone. Of a block, only the first `was` and the final type are kept. */
type Run = { readonly by: string; readonly edits: ChangedBlock[]; readonly places: Map<LoadedColumn, Map<number, number>> }

const keyOf = ({ x, y, z }: BlockPos): number => (y << 8) | ((z & 15) << 4) | (x & 15)

const addTo = ({ edits, places }: Run, column: LoadedColumn, block: ChangedBlock): void => {
  const known = places.get(column) ?? new Map<number, number>()
  places.set(column, known)
  const key = keyOf(block)
  const place = known.get(key) ?? edits.length
  known.set(key, place)
  edits[place] = { ...block, was: edits[place]?.was ?? block.was }
}

/** Publishes the changes of a tick to the feeds of their zones, in order. Each message has consecutive changes of one player. */
export const createTellFeeds = (index: FeedIndex, registry: Pick<BlockRegistry, 'idOf'>) => {
  const splitByFeed = (changes: readonly ToldChange[]): Map<ZoneFeed, Run[]> => {
    const feeds = new Map<ZoneFeed, Run[]>()
    for (const { x, y, z, index: blockIndex, before, by, column } of changes)
      for (const feed of index.feedsAt(x, y, z)) {
        const runs = feeds.get(feed) ?? []
        feeds.set(feed, runs)
        const last = runs.at(-1)
        const run = last?.by === by ? last : { by, edits: [], places: new Map() }
        if (run !== last) runs.push(run)
        addTo(run, column, { x, y, z, type: registry.idOf(blockIndex), was: registry.idOf(before) })
      }
    return feeds
  }

  return (changes: readonly ToldChange[]): void => {
    if (changes.length === 0) return
    for (const [feed, runs] of splitByFeed(changes)) for (const { by, edits } of runs) feed.publish({ type: 'blocks', edits, by })
  }
}
