import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type Ids, isUuid } from '../../../kernel/ids.ts'
import { listByTime } from '../../../platform/storage/list-by-time.ts'
import { putWrite, type Store, type StoredRecord, type Write } from '../../../platform/storage/store.ts'
import { createTimeOrderedIds } from '../../../platform/storage/time-ordered-ids.ts'
import type { Account } from '../../accounts/account.ts'
import type { Actor } from '../../accounts/actor.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { noteLengthMax, parsePrintable } from '../sanction-input.ts'
import { type Report, reportRecords, reportTimes } from './report.ts'

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

const limit = { reports: 3, windowMs: 600_000 }
const reportLengthMax = 500

const allPrefix = 'all/'
const openPrefix = 'open/'
const attemptsMax = 10

const reportMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no report with that id.')

const tooMany = (retryAfterMs: number): AppError =>
  new AppError('limited', 'too-many-requests', `${limit.reports} reports in ten minutes is the limit. Try again later.`, {
    retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
  })

const reportWrites = (before: StoredRecord<Report> | undefined, after: Report): readonly Write[] => [
  putWrite(reportRecords, allPrefix + after.id, after, { ifVersion: before?.version ?? null }),
  after.state === 'open'
    ? putWrite(reportRecords, openPrefix + after.id, after)
    : { kind: 'delete', collection: reportRecords.name, id: openPrefix + after.id },
]

const repeatOnConflict = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof AppError && error.slug === 'conflict' && attempts < attemptsMax)) throw error
    }
}

type ReportServiceDeps = { readonly store: Store; readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> }

/** Reports in a Store. The player's report times are written in the same commit, so that the limit holds across processes. */
export const createReportService = (deps: ReportServiceDeps): ReportService => {
  const { store, clock } = deps
  const newId = createTimeOrderedIds(deps)

  /** The player's recent report times. Throws at the limit. */
  const readTimes = async (playerId: string) => {
    const stored = await store.get(reportTimes, playerId)
    // Ignores times far in the future. A clock that was wrong must not silence the player.
    const recent = (stored?.value.at ?? []).filter((at) => Math.abs(clock.now() - at) < limit.windowMs)
    const [oldest = 0] = recent
    if (recent.length >= limit.reports) throw tooMany(oldest + limit.windowMs - clock.now())
    return { recent, version: stored?.version ?? null }
  }

  return {
    checkLimit: async (playerId) => {
      await readTimes(playerId)
    },
    file: async ({ email, playerId }, { about, text, place, lastChat }) => {
      const nowMs = clock.now()
      const report: Report = {
        id: newId(),
        at: new Date(nowMs).toISOString(),
        by: email,
        ...(about !== undefined && { about }),
        text: parsePrintable('/text', text, reportLengthMax),
        place,
        lastChat: [...lastChat],
        state: 'open' as const,
      }
      await repeatOnConflict(async () => {
        const { recent, version } = await readTimes(playerId)
        const times = putWrite(reportTimes, playerId, { at: [...recent, Math.floor(nowMs)] }, { ifVersion: version })
        await store.commit([times, ...reportWrites(undefined, report)])
      })
      return report
    },
    listReports: async ({ limit: pageLength, cursor, state }) => {
      const prefix = state === 'open' ? openPrefix : allPrefix
      const matches = (report: Report) => state === undefined || report.state === state
      const { found: reports, ...more } = await listByTime(store, reportRecords, { prefix, limit: pageLength, cursor, matches })
      return { reports, ...more }
    },
    settle: (actor, id, { state, note }) =>
      repeatOnConflict(async () => {
        const before = isUuid(id) ? await store.get(reportRecords, allPrefix + id.toLowerCase()) : undefined
        if (before === undefined) throw reportMissing()
        const { closedBy, ...kept } = before.value
        const after: Report = {
          ...kept,
          state,
          ...(note !== undefined && { note: parsePrintable('/note', note, noteLengthMax) }),
          ...(state === 'closed' && { closedBy: kept.state === 'closed' ? (closedBy ?? actor.email) : actor.email }),
        }
        if (isDeepStrictEqual(before.value, after)) return after
        const entry = createAuditEntry(deps, actor, { action: 'report.update', target: after.id, before: before.value, after })
        await store.commit([...reportWrites(before, after), ...auditWrites(entry)])
        return after
      }),
  }
}
