import type { Answer } from '../../sdk/admin.ts'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Ban = Answer<'GET /api/admin/sanctions'>['body']['sanctions'][number]

const pageSize = 200
const pagesMax = 25

/** The active bans by email, or of one account. The longest ban of an account counts. Empty without the permission to read bans. */
export const listBans = async (signal: AbortSignal, email?: string): Promise<ReadonlyMap<string, Ban>> => {
  const bans = new Map<string, Ban>()
  if (!mayDo('admin.sanctions.read')) return bans
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const filter = { kind: 'ban', active: true, limit: pageSize, ...(email !== undefined && { email }) } as const
    const { body } = await call('GET /api/admin/sanctions', {
      query: { ...filter, ...(cursor !== undefined && { cursor }) },
      signal,
    })
    for (const ban of body.sanctions) {
      if (ban.email === undefined) continue
      const known = bans.get(ban.email)
      if (known === undefined || (known.until !== undefined && (ban.until ?? '~') > known.until)) bans.set(ban.email, ban)
    }
    cursor = body.nextCursor
    if (cursor === undefined) break
  }
  return bans
}

/** A badge with the end of an account's ban. */
export const BanBadge = ({ ban }: { readonly ban: Ban | undefined }) => {
  if (ban === undefined) return null
  return (
    <span class="badge bad">
      {ban.until === undefined ? (
        words.sanctions.banned
      ) : (
        <>
          {words.sanctions.bannedUntil} <Time at={ban.until} exact />
        </>
      )}
    </span>
  )
}
