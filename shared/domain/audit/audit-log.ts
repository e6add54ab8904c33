import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'

/** One admin write: who, what, when, before and after. Never holds a password, a hash or a token. */
export const AuditEntry = ClosedObject({
  id: Type.String(),
  /** ISO 8601 UTC. */
  at: Type.String(),
  /** Email of who did it; `operator` for the command line. */
  actor: Type.String(),
  /** Dotted: `account.create`, `account.update`, `account.delete`. */
  action: Type.String(),
  /** What was changed: an email for accounts. */
  target: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  via: Type.Union([Type.Literal('http'), Type.Literal('command'), Type.Literal('feed'), Type.Literal('cli')]),
  requestId: Type.String(),
  unproven: Type.Optional(
    Type.Literal(true, {
      description:
        'The entry is of a person who has not proven who they are: wrong passwords, a registration, a sign-in by email alone. Such entries have at most a quarter of the log.',
    }),
  ),
  /** Id of the entry whose write this one took back. */
  undoes: Type.Optional(Type.String()),
  cut: Type.Optional(
    Type.Integer({
      description:
        'Bytes of the whole entry. Values too long for a list are `{cut: bytes}` here; `GET /api/admin/audit/{id}` has them.',
    }),
  ),
})
export type AuditEntry = Static<typeof AuditEntry>

export type AuditQuery = {
  /** 1 to 200. */
  readonly limit: number
  readonly cursor?: string
  readonly actor?: string
  readonly target?: string
  readonly requestId?: string
}

export type AuditPage = {
  readonly entries: readonly AuditEntry[]
  readonly nextCursor?: string
}

/** The audit log: append and read, nothing else. */
export type AuditLog = {
  /** Whole; undefined where there is none of that id. */
  find(id: string): Promise<AuditEntry | undefined>
  /** Durable when it resolves; throws AppError `unavailable` when it cannot be. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** Newest first; filters combine. Long entries are cut, so that 200 come to less than 2 MB. */
  listEntries(query: AuditQuery): Promise<AuditPage>
}
