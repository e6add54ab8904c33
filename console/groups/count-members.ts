import { call } from '../state/api.ts'

const pageSize = 200
const pagesMax = 25

/** The number of accounts in each group, of the first 5,000 accounts. `isCut`: there are more accounts. */
export const countMembers = async (
  signal: AbortSignal,
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly isCut: boolean }> => {
  const counts = new Map<string, number>()
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const { users, nextCursor } = (await call('GET /api/admin/users', { query, signal })).body
    for (const { groups } of users) for (const name of groups) counts.set(name, (counts.get(name) ?? 0) + 1)
    cursor = nextCursor
    if (cursor === undefined) break
  }
  return { counts, isCut: cursor !== undefined }
}
