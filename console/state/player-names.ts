import { signal } from '@preact/signals'
import { call } from './api.ts'
import { mayDo } from './session.ts'

/** Player names by id, as far as loaded. */
const known = signal<ReadonlyMap<string, string>>(new Map())

/** The cursor for further accounts. */
let reached: string | undefined
/** When the first page was read. After a minute, names are read again: a player can be renamed or deleted. */
let loadedAt = 0

const nameMaxAgeMs = 60_000
const pageSize = 200
const pagesMax = 10

export const nameOf = (playerId: string): string => known.value.get(playerId) ?? playerId

/** Loads the names of players, if the user can read accounts. Reads pages until it has all; after too many, the next call continues. */
export const learnNames = async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
  const isOld = Date.now() - loadedAt > nameMaxAgeMs
  const missing = new Set(ids.filter((id) => isOld || !known.peek().has(id)))
  if (missing.size === 0 || !mayDo('admin.users.read')) return
  const from = isOld ? undefined : reached
  reached = from
  for (let page = 0; page < pagesMax && missing.size > 0; page += 1) {
    const query = { limit: pageSize, ...(reached !== undefined && { cursor: reached }) }
    const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
    if (reached === undefined) loadedAt = Date.now()
    known.value = new Map([
      ...known.peek(),
      ...users.map(({ playerId, displayName }): [string, string] => [playerId, displayName]),
    ])
    for (const { playerId } of users) missing.delete(playerId)
    reached = nextCursor
    if (reached === undefined) break
  }
  if (reached !== undefined) return
  // Only a player on no page at all was deleted, and is not requested again for a minute. Earlier calls may have read the first pages.
  const deleted = [...missing].filter((id) => from === undefined || !known.peek().has(id))
  known.value = new Map([...known.peek(), ...deleted.map((id): [string, string] => [id, id])])
}
