import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'

/** A later change in the entry of an earlier one. `target` is absent if it is that of the entry. */
const GroupedChange = ClosedObject({
  at: Type.String({ description: 'Time of this change.' }),
  requestId: Type.String({ description: 'Request of this change. A filter by it finds the entry.' }),
  target: Type.Optional(Type.String({ description: 'The changed object, if it differs from that of the entry.' })),
  before: Type.Unknown({ description: 'The state before this change.' }),
  after: Type.Unknown({ description: 'The state after this change.' }),
})
export type GroupedChange = Static<typeof GroupedChange>

/** One change by an admin: actor, target, time, state before and after. Never contains a password, a hash or a token. */
export const AuditEntry = ClosedObject({
  id: Type.String(),
  /** ISO 8601 UTC. */
  at: Type.String(),
  /** Email of the actor; `operator` for the command line. */
  actor: Type.String(),
  /** Dotted: `account.create`, `account.update`, `account.delete`. */
  action: Type.String(),
  /** The changed object, such as the email of an account. */
  target: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  via: Type.Union([Type.Literal('http'), Type.Literal('command'), Type.Literal('feed'), Type.Literal('cli')]),
  requestId: Type.String(),
  unproven: Type.Optional(
    Type.Literal(true, {
      description:
        'The actor has not proven their identity: wrong passwords, a registration, or a sign-in by email alone. Such entries take up at most a quarter of the log.',
    }),
  ),
  /** Id of the entry whose change this one undoes. */
  undoes: Type.Optional(Type.String()),
  mergedInto: Type.Optional(Type.String({ description: 'Email of the account that the deleted account was merged into.' })),
  count: Type.Optional(
    Type.Integer({
      description:
        'Number of changes in this entry: messages or teleports by one caller within ten seconds. Absent for one change.',
    }),
  ),
  more: Type.Optional(
    Type.Array(GroupedChange, {
      description: 'The changes after the first, oldest first. Lists leave them out if the entry is long.',
    }),
  ),
  cut: Type.Optional(
    Type.Integer({
      description:
        'Size of the whole entry in bytes. Values too long for a list are `{cut: bytes}` here; `GET /api/admin/audit/{id}` returns them.',
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
  /** Words in any order and letter case. Each occurs in the actor, the action, the target, or the name or kind of the changed object. */
  readonly text?: string | undefined
  /** Included. */
  readonly fromMs?: number | undefined
  /** Included. */
  readonly toMs?: number | undefined
}

export type AuditPage = {
  readonly entries: readonly AuditEntry[]
  readonly nextCursor?: string
}

/** An append-only audit log. */
export type AuditLog = {
  /** The whole entry; undefined if there is none with that id. */
  find(id: string): Promise<AuditEntry | undefined>
  /** Durable when it resolves; throws AppError `unavailable` if writing fails. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /**
   * Like `append`, for changes that a caller makes many of. Changes with the same action by the same actor within ten seconds, up to 100,
   * become one entry with a `count`. Filters find it by the request and the target of each change.
   */
  appendGrouped(entry: AuditEntry): Promise<void>
  /**
   * Newest first; filters combine. Long entries are cut, so that 200 stay below 2 MB. A text or two filters read at most 2,000 entries
   * at once. Such a page may be short or empty and still have a cursor.
   */
  listEntries(query: AuditQuery): Promise<AuditPage>
}
