import { AppError } from '../../kernel/errors.ts'
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts'
import { isRecord, listChangedKeys } from './undoer.ts'

/** The maximum number of audit entries to search for later changes. */
const searchedMax = 1_000
const pageSize = 200
/** The maximum number of fields in a message. */
const namedMax = 50

/** A field that was changed later, with the author. Has no name if the audit log has no entry, as for a file edited by hand. */
export type ChangedField = { readonly pointer: string; readonly by?: string; readonly at?: string }

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
export const nameChanges = async (audit: Pick<AuditLog, 'listEntries'>, entry: AuditEntry, error: unknown): Promise<unknown> => {
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
