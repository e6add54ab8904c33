import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../accounts/actor.ts'
import type { NameChoice } from '../accounts/names/display-name-taken.ts'
import type { AuditEntry } from '../audit/audit-log.ts'

/** The actor of an undo, with their address. */
export type UndoActor = Actor & { readonly address?: string }

/** The planned result of an undo, from the current state. */
export type UndoPlan = {
  /** The value after the undo; `null` if it would no longer exist. */
  readonly would: unknown
  /** Applies the plan. Throws `stale` if the value changed in the meantime. */
  apply(actor: UndoActor, choice: NameChoice): Promise<unknown>
}

/** The permission of a route, or of a command whose writes can be undone. */
export type UndoPermission = `admin.${string}` | 'command.disable.others' | 'command.setspawn'

/** Undo for some kinds of writes. */
export type Undoer = {
  /** Actions of the audit log. */
  readonly actions: readonly string[]
  /** The permission of the write itself. An actor who may make the write may undo it. */
  readonly permission: UndoPermission
  /** Throws `changed-since` and `not-undoable`. */
  plan(entry: AuditEntry, actor: UndoActor): Promise<UndoPlan>
}

/** The refusal of an undo, with the reason in a sentence for people. */
export const notUndoable = (why: string): AppError => new AppError('unprocessable', 'not-undoable', why)

/** Whether one side of an entry is an object. All sides that can be undone are. */
export const isRecord = (side: unknown): side is Readonly<Record<string, unknown>> => typeof side === 'object' && side !== null

/** The time of the last write is not part of a value. */
const isBookkeeping = (key: string): boolean => key === 'updatedAt'

/** The keys in which two records differ, without `updatedAt`. */
export const listChangedKeys = (one: object, other: object): readonly string[] => {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].filter((key) => !isBookkeeping(key) && !isDeepStrictEqual(left.get(key), right.get(key)))
}

/** `current` with the values of `before` for `keys`. Keys that `before` lacks are removed. */
export const withFieldsOf = <T extends object>(current: T, before: object, keys: readonly string[]): T => {
  const old = new Map(Object.entries(before).filter(([key]) => keys.includes(key)))
  const rest = Object.entries(current).filter(([key]) => !keys.includes(key) || old.has(key))
  return Object.fromEntries([...rest, ...old]) as T
}

const refusal = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>, current: unknown, keys: readonly string[]) =>
  new AppError('conflict', 'changed-since', 'It was changed since then. Nothing was undone.', {
    members: { before, after, current: current ?? null, changed: keys.map((key) => ({ pointer: key === '' ? '' : `/${key}` })) },
  })

/** Throws `conflict` `changed-since` unless `current` equals `after`. The service adds who changed it. */
export const refuseChanged = (entry: Pick<AuditEntry, 'before' | 'after'>, current: unknown): void => {
  const { after } = entry
  if (isDeepStrictEqual(current ?? null, after ?? null)) return
  throw refusal(entry, current, isRecord(current) && isRecord(after) ? listChangedKeys(current, after) : [''])
}

/**
 * The keys that a write changed. Throws `conflict` `changed-since` if one of them has another value now. Later changes of other keys do
 * not matter.
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
