import { createWorldFeeds, type WorldFeeds, type WorldFeedsDeps } from '../feeds/world/world-feeds.ts'
import { createZoneFeeds, type ZoneFeeds, type ZoneFeedsDeps } from '../feeds/zone-feeds.ts'
import type { GameWorld } from '../game/game-world.ts'

export type GameFeedsDeps = Omit<ZoneFeedsDeps, 'world' | 'journal'> &
  Omit<WorldFeedsDeps, 'worldName'> & {
    readonly world: Pick<GameWorld, 'record' | 'registry' | 'loaded' | 'journal'>
  }

/** Both kinds of feeds of a node: those of zones, and those of its world. */
export type GameFeeds = { readonly feeds: ZoneFeeds; readonly worldFeeds: WorldFeeds }

export const createGameFeeds = (deps: GameFeedsDeps): GameFeeds => {
  const { record, journal } = deps.world
  return {
    feeds: createZoneFeeds({ ...deps, journal }),
    worldFeeds: createWorldFeeds({ ...deps, worldName: record.name }),
  }
}
