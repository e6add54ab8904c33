import { AppError } from '../../kernel/errors.ts'
import type { NameChoice } from '../accounts/names/display-name-taken.ts'
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts'
import {
  isRecord,
  listChangedKeys,
  notUndoable,
  type UndoActor,
  type Undoer,
  type UndoPermission,
  type UndoPlan,
} from './undoer.ts'

/** The maximum number of audit entries to search for later changes. */
const searchedMax = 1_000
const pageSize = 200
/** The maximum number of fields in a message. */
const namedMax = 50

/** A field that was changed later, with the author. Has no name if the audit log has no entry, as for a file edited by hand. */
type ChangedField = { readonly pointer: string; readonly by?: string; readonly at?: string }

const fieldOf = (pointer: string): string => pointer.slice(1).split('/', 1)[0] ?? ''

const listPointersOfSave = ({ after }: AuditEntry): readonly string[] =>
  isRecord(after) && Array.isArray(after.changed) ? after.changed.filter((pointer) => typeof pointer === 'string') : []

/** Whether an entry changed a field. A creation or deletion changes all fields. */
const changesField = ({ before, after }: AuditEntry, pointer: string): boolean =>
  pointer === '' || !isRecord(before) || !isRecord(after) || listChangedKeys(before, after).includes(fieldOf(pointer))

/** The audit entries of a target that are newer than the entry `id`, newest first. */
const listSince = async (audit: Pick<AuditLog, 'listEntries'>, target: string, id: string): Promise<readonly AuditEntry[]> => {
  const newer: AuditEntry[] = []
  let cursor: string | undefined
  do {
    const page = await audit.listEntries({ target, limit: pageSize, ...(cursor !== undefined && { cursor }) })
    const end = page.entries.findIndex((entry) => entry.id === id)
    newer.push(...(end === -1 ? page.entries : page.entries.slice(0, end)))
    cursor = end === -1 ? page.nextCursor : undefined
  } while (cursor !== undefined && newer.length < searchedMax)
  return newer
}

const nameConfigChanges = (newer: readonly AuditEntry[]): readonly ChangedField[] => {
  const fields = new Map<string, ChangedField>()
  for (const entry of newer.filter(({ action }) => action === 'config.save')) {
    const pointers = listPointersOfSave(entry)
    for (const pointer of pointers.length === 0 ? [''] : pointers)
      if (!fields.has(pointer)) fields.set(pointer, { pointer, by: entry.actor, at: entry.at })
  }
  return fields.size === 0 ? [{ pointer: '' }] : [...fields.values()]
}

const nameFields = (newer: readonly AuditEntry[], pointers: readonly string[]): readonly ChangedField[] =>
  pointers.map((pointer) => {
    const entry = newer.find((one) => changesField(one, pointer))
    return entry === undefined ? { pointer } : { pointer, by: entry.actor, at: entry.at }
  })

const readPointers = (changed: unknown): readonly string[] =>
  Array.isArray(changed)
    ? changed.flatMap((field) => (isRecord(field) && typeof field.pointer === 'string' ? [field.pointer] : []))
    : ['']

const describeField = ({ pointer, by, at }: ChangedField): string => {
  const who = by === undefined ? 'outside of the audit log' : `by ${by} at ${at}`
  return `${pointer === '' ? 'it' : pointer.slice(1)} was changed ${who}`
}

/** Adds to a `changed-since` refusal who changed each field and when. Returns any other error unchanged. */
const nameChanges = async (audit: Pick<AuditLog, 'listEntries'>, entry: AuditEntry, error: unknown): Promise<unknown> => {
  if (!(error instanceof AppError) || error.slug !== 'changed-since') return error
  const { current } = error.members
  const newer = [...(await listSince(audit, entry.target, entry.id))]
  // If the account has a new email, later entries are under that email.
  const email = isRecord(current) && typeof current.email === 'string' ? current.email : entry.target
  if (email !== entry.target) newer.unshift(...(await listSince(audit, email, entry.id)).filter(({ id }) => id > entry.id))
  const fields =
    entry.action === 'config.save' ? nameConfigChanges(newer) : nameFields(newer, readPointers(error.members.changed))
  const changed = fields.slice(0, namedMax)
  const [first] = changed
  const rest = fields.length > 1 ? `, and ${fields.length - 1} more` : ''
  const detail = first === undefined ? error.publicDetail : `Nothing was undone: ${describeField(first)}${rest}.`
  return new AppError(error.kind, error.slug, detail, { members: { ...error.members, changed } })
}

/** The result of an undo: the entry of the new write, and the restored value (`null` if it no longer exists). */
export type Undone = { readonly entry: AuditEntry; readonly restored: unknown }

/** Undoes admin writes by their audit entries. An undo is a write like any other and can be undone too. */
export type UndoService = {
  /** All permissions that an undo may need. An actor with none of them cannot undo anything. */
  readonly permissions: readonly UndoPermission[]
  /** The permission that the write needed. Throws `not-found`, and `not-undoable` for kinds of writes without undo. */
  permissionOf(id: string): Promise<UndoPermission>
  /** Returns what an undo would restore, without writing. Throws `not-found`, `changed-since`, `not-undoable`. */
  rehearse(actor: UndoActor, id: string): Promise<unknown>
  /** Throws as `rehearse`, and as the write itself. `force` restores a display name that another account has. Of two concurrent calls one is refused with `changed-since`. */
  undo(actor: UndoActor, id: string, choice?: NameChoice): Promise<Undone>
}

/** The reasons why writes of these kinds cannot be undone. */
const reasons: Readonly<Record<string, string>> = {
  'account.claim': 'Undo does not remove the first administrator. Add another administrator, then delete the account.',
  'account.guessed': 'Nothing was changed: someone tried wrong passwords. Set a new password to be safe.',
  'account.grants-ended': 'Undo does not renew a grant that has ended. Grant it again.',
  'account.register-again': 'Nothing was written: the email already had an account.',
  'account.reset-link': 'A reset link expires within a day. To revoke it now, set a new password.',
  'invitation.create': 'Undo does not revoke invitations. Delete the invitation.',
  'invitation.remove': 'The code of an invitation is not stored. Create a new invitation.',
  'account.link': 'An identity provider confirmed this account. To remove the link, delete the account.',
  'backup.create': 'Undo does not delete backups. The oldest are deleted automatically.',
  'config.reload': 'Undo does not reverse a reload. Undo the save, then reload.',
  'config.save-failed': 'That save failed. There is nothing to undo.',
  'job.cancel': 'Undo does not resume a cancelled job. Start it again.',
  'module.reload': 'Undo does not load an earlier version of a module. Restore its file, then reload it.',
  'player.kick': 'A kick has no lasting effect. The player can connect again.',
  'zone.snapshot': 'A snapshot changes nothing in the zone. Delete the snapshot.',
  'zone.snapshot-delete': 'The blocks of a deleted snapshot are gone.',
  'world.create': 'Undo does not delete worlds. Ask an operator to delete it.',
  'world.delete': 'Ask an operator to restore the world: npm run world -- import, with its folder in trash.',
  'world.rename': 'Ask an operator to rename the world back: npm run world -- rename.',
  'world.return': 'Ask an operator to delete the restored world.',
  'world.pregen': 'Undo does not remove generated land. You can cancel the job while it runs.',
}

const attemptsMax = 5

const isStale = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'stale' || error.slug === 'already-exists' || error.kind === 'not-found')

type Deps = { readonly audit: Pick<AuditLog, 'find' | 'listEntries'>; readonly undoers: readonly Undoer[] }

export const createUndoService = ({ audit, undoers }: Deps): UndoService => {
  const find = async (id: string): Promise<{ readonly entry: AuditEntry; readonly undoer: Undoer }> => {
    const entry = await audit.find(id)
    if (entry === undefined) throw new AppError('not-found', 'not-found', 'The audit log has no entry with that id.')
    const undoer = undoers.find(({ actions }) => actions.includes(entry.action))
    if (undoer === undefined) throw notUndoable(reasons[entry.action] ?? `A write of the kind ${entry.action} cannot be undone.`)
    return { entry, undoer }
  }

  /** The entry of this write; undefined if another writer had already made the same change, so that nothing was written. */
  const findNew = async ({ requestId }: UndoActor, undoes: string): Promise<AuditEntry | undefined> => {
    const { entries } = await audit.listEntries({ limit: 50, requestId })
    return entries.find((one) => one.undoes === undoes)
  }

  return {
    permissions: [...new Set(undoers.map(({ permission }) => permission))],
    permissionOf: async (id) => (await find(id)).undoer.permission,
    rehearse: async (actor, id) => {
      const { entry, undoer } = await find(id)
      try {
        return (await undoer.plan(entry, actor)).would
      } catch (error) {
        throw await nameChanges(audit, entry, error)
      }
    },
    undo: async (actor, id, choice = {}) => {
      const { entry, undoer } = await find(id)
      const undoing: UndoActor = { ...actor, undoes: id }
      const planNamed = async (): Promise<UndoPlan> => {
        try {
          return await undoer.plan(entry, undoing)
        } catch (error) {
          throw await nameChanges(audit, entry, error)
        }
      }
      for (let attempt = 1; ; attempt += 1) {
        const plan = await planNamed()
        try {
          const restored = await plan.apply(undoing, choice)
          const made = await findNew(undoing, id)
          if (made !== undefined) return { entry: made, restored }
          if (attempt === attemptsMax) throw notUndoable('It is already as it was before that write.')
        } catch (error) {
          // It changed between the read and the write. The next attempt reports how.
          if (!isStale(error) || attempt === attemptsMax) throw await nameChanges(audit, entry, error)
        }
      }
    },
  }
}
