export { type Answer, type Call, type Caller, type CallInput, createCall, type Operation } from './admin/call.ts'
export type { FeedCaller, FeedOptions } from './admin/feeds/open-feed.ts'
export {
  openWorldFeed,
  type WorldFeed,
  type WorldFeedEvents,
  type WorldFeedOptions,
  type WorldView,
} from './admin/feeds/world-feed.ts'
export { type FeedBlock, openZoneFeed, type ZoneFeed, type ZoneFeedEvents } from './admin/feeds/zone-feed.ts'
export type * from './admin/generated/api-paths.ts'
export { readBackup, readWorldExport, readZoneBlocks, type ZoneBlock } from './admin/read-lines.ts'
export * from './errors.ts'
