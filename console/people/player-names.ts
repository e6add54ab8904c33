import { signal } from '@preact/signals'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'

/** Names of players by their id, as far as they were asked for. */
const known = signal<ReadonlyMap<string, string>>(new Map())

const pageSize = 200
const pagesMax = 10

export const nameOf = (playerId: string): string => known.value.get(playerId) ?? playerId

/** Learns the names of these players, where one may. Accounts come by email, so pages are read until all are found. */
export const learnNames = async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
  const missing = new Set(ids.filter((id) => !known.peek().has(id)))
  if (missing.size === 0 || !mayDo('admin.users.read')) return
  let cursor: string | undefined
  for (let page = 0; page < pagesMax && missing.size > 0; page += 1) {
    const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
    known.value = new Map([
      ...known.peek(),
      ...users.map(({ playerId, displayName }): [string, string] => [playerId, displayName]),
    ])
    for (const { playerId } of users) missing.delete(playerId)
    cursor = nextCursor
    if (cursor === undefined) break
  }
  // Who is gone is not asked for again.
  known.value = new Map([...known.peek(), ...[...missing].map((id): [string, string] => [id, id])])
}
