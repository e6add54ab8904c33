import type { Account } from '../../accounts/account.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { Report } from './report.ts'

export type NewReport = Pick<Report, 'text' | 'place'> & {
  /** The email of an account. */
  readonly about?: string
  readonly lastChat: readonly Report['lastChat'][number][]
}

export type ReportQuery = {
  /** 1 to 200. */
  readonly limit: number
  readonly cursor?: string
  readonly state?: Report['state']
}

export type ReportPage = { readonly reports: readonly Report[]; readonly nextCursor?: string }

/** Reports of players, and how admins settle them. */
export type ReportService = {
  /** Throws AppError `limited` if the player has reported three times in ten minutes, across processes. */
  checkLimit(playerId: string): Promise<void>
  /** Durable when it resolves. Throws as `checkLimit`, and `invalid` for a text that cannot be shown. */
  file(by: Pick<Account, 'email' | 'playerId'>, report: NewReport): Promise<Report>
  /** Newest first. Throws `invalid` for an unknown cursor. */
  listReports(query: ReportQuery): Promise<ReportPage>
  /** Opens or closes a report. A `note` replaces the previous one. Audited. Throws `not-found`. */
  settle(actor: Actor, id: string, change: { readonly state: Report['state']; readonly note?: string }): Promise<Report>
}
