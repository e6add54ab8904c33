import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AuditEntry } from '../audit/audit-log.ts'

/** Who takes a write back, and from which address. */
export type UndoActor = Actor & { readonly address?: string }

/** What taking a write back comes to, decided on things as they are. */
export type UndoPlan = {
  /** The thing as it would be then; `null` where it would be gone. */
  readonly would: unknown
  /** Makes it so. Throws `stale` where somebody changed the thing in between. */
  apply(actor: UndoActor): Promise<unknown>
}

/** Of a route, or of a command whose writes are undoable. */
export type UndoPermission = `admin.${string}` | 'command.disable.others' | 'command.setspawn'

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

/** Whether a recorded side is an object, which all are that can be taken back. */
export const isRecord = (side: unknown): side is Readonly<Record<string, unknown>> => typeof side === 'object' && side !== null

/** When a thing was written is no part of it. */
const isBookkeeping = (key: string): boolean => key === 'updatedAt'

/** The keys in which two records differ, `updatedAt` aside. */
export const listChangedKeys = (one: object, other: object): readonly string[] => {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].filter((key) => !isBookkeeping(key) && !isDeepStrictEqual(left.get(key), right.get(key)))
}

/** `current` with each of `keys` as `before` has it, absent where it has none. */
export const withFieldsOf = <T extends object>(current: T, before: object, keys: readonly string[]): T => {
  const old = new Map(Object.entries(before).filter(([key]) => keys.includes(key)))
  const rest = Object.entries(current).filter(([key]) => !keys.includes(key) || old.has(key))
  return Object.fromEntries([...rest, ...old]) as T
}

const refusal = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>, current: unknown, keys: readonly string[]) =>
  new AppError('conflict', 'changed-since', 'It was changed since: nothing was undone.', {
    members: { before, after, current: current ?? null, changed: keys.map((key) => ({ pointer: key === '' ? '' : `/${key}` })) },
  })

/** Throws `conflict` `changed-since` unless `current` is what the write left: `after`, or nothing. The service adds who changed it. */
export const refuseChanged = (entry: Pick<AuditEntry, 'before' | 'after'>, current: unknown): void => {
  const { after } = entry
  if (isDeepStrictEqual(current ?? null, after ?? null)) return
  throw refusal(entry, current, isRecord(current) && isRecord(after) ? listChangedKeys(current, after) : [''])
}

/**
 * The keys that a write changed. Throws `conflict` `changed-since` where `current` has another value for one of them than the
 * write left; later changes of other keys do not matter.
 */
export const refuseChangedFields = (
  entry: { readonly before: object; readonly after: object },
  current: object | undefined,
): readonly string[] => {
  if (current === undefined) throw refusal(entry, undefined, [''])
  const keys = listChangedKeys(entry.before, entry.after)
  const [left, now] = [new Map(Object.entries(entry.after)), new Map(Object.entries(current))]
  const other = keys.filter((key) => !isDeepStrictEqual(now.get(key), left.get(key)))
  if (other.length > 0) throw refusal(entry, current, other)
  return keys
}
