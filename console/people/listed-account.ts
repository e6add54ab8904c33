import type { Answer } from '../../sdk/admin.ts'
import type { listBans } from '../moderation/ban-badge.tsx'

/** An account of the list. */
export type ListedAccount = Answer<'GET /api/admin/users'>['body']['users'][number]

/** What the page knows besides the accounts. */
export type Known = {
  readonly bans: Awaited<ReturnType<typeof listBans>> | undefined
  /** The emails of the connected players. */
  readonly online: ReadonlySet<string>
}
