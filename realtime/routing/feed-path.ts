import { WorldName } from '../../shared/domain/worlds/world.ts'

/** What a feed is of: one zone, or a world by its name. */
export type FeedTarget = { readonly zoneId: string } | { readonly world: string }

const pattern = /^\/api\/admin\/ws\/(instances|worlds)\/([^/]+)$/
const worldName = new RegExp(WorldName.pattern ?? '')

/** What the address of a feed names, `/api/admin/ws/instances/{id}` or `/api/admin/ws/worlds/{world}`; undefined for any other path. */
export const feedTargetIn = (path: string): FeedTarget | undefined => {
  const [, kind, name] = pattern.exec(path) ?? []
  if (name === undefined) return undefined
  if (kind === 'instances') return { zoneId: name }
  return worldName.test(name) ? { world: name } : undefined
}
