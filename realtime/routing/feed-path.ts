import { WorldName } from '../../shared/domain/worlds/world.ts'
import { type Zone, zoneRecords } from '../../shared/domain/zones/zone.ts'
import { isUuid } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'

/** The target of a feed: one zone by its id, or a world by its name. */
export type FeedTarget = { readonly zoneId: string } | { readonly world: string }

const pattern = /^\/api\/admin\/ws\/(instances|worlds)\/([^/]+)$/
const worldName = new RegExp(WorldName.pattern ?? '')

/**
 * The target in the path of a feed, `/api/admin/ws/instances/{id}` or `/api/admin/ws/worlds/{world}`. Undefined for other paths.
 */
export const feedTargetIn = (path: string): FeedTarget | undefined => {
  const [, kind, name] = pattern.exec(path) ?? []
  if (name === undefined) return undefined
  if (kind === 'instances') return { zoneId: name }
  return worldName.test(name) ? { world: name } : undefined
}

/** The stored zone with that id, or undefined. Throws AppError `unavailable`. */
export const findFeedZone = async (store: Pick<Store, 'get'>, id: string): Promise<Zone | undefined> =>
  isUuid(id) ? (await store.get(zoneRecords, id.toLowerCase()))?.value : undefined
