import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../accounts/actor.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import { AppError } from '../kernel/errors.ts'

/** Who takes a write back, and from which address. */
export type UndoActor = Actor & { readonly address?: string }

/** What taking a write back comes to, decided on things as they are. */
export type UndoPlan = {
  /** The thing as it would be then; `null` where it would be gone. */
  readonly would: unknown
  /** Makes it so. Throws `stale` where somebody changed the thing in between. */
  apply(actor: UndoActor): Promise<unknown>
}

/** Of a route, or of the command that switches commands. */
export type UndoPermission = `admin.${string}` | 'command.disable.others'

/** How writes of one kind are taken back. */
export type Undoer = {
  /** Of the audit log. */
  readonly actions: readonly string[]
  /** That of the write itself: who may make it may take it back. */
  readonly permission: UndoPermission
  /** Throws `changed-since` and `not-undoable`. */
  plan(entry: AuditEntry, actor: UndoActor): Promise<UndoPlan>
}

/** Why a write cannot be taken back, in a sentence for a person. */
export const notUndoable = (why: string): AppError => new AppError('unprocessable', 'not-undoable', why)

/** Throws `conflict` `changed-since`, with the three texts, unless `current` is what the write left: `after`, or nothing. */
export const refuseChanged = ({ before, after }: AuditEntry, current: unknown): void => {
  if (isDeepStrictEqual(current ?? null, after ?? null)) return
  throw new AppError('conflict', 'changed-since', 'It was changed since: nothing was taken back.', {
    members: { before, after, current: current ?? null },
  })
}

/** Whether a recorded side is an object, which all are that can be taken back. */
export const isRecord = (side: unknown): side is Readonly<Record<string, unknown>> => typeof side === 'object' && side !== null
