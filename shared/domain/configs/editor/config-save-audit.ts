import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Actor } from '../../accounts/actor.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import type { ConfigChange } from '../compare/config-impact-schema.ts'
import type { ConfigName } from '../declare/config-file.ts'

/** A save as the audit log records it. */
export type AuditedSave = {
  readonly name: ConfigName
  /** Absent if the previous text could not be read. */
  readonly before: { readonly text: string; readonly etag: string } | undefined
  readonly text: string
  /** Tag of the new text. */
  readonly etag: string
  readonly changes: readonly ConfigChange[]
  readonly omitted: number
}

const pointersMax = 50
const pointerCharsMax = 200

/**
 * The entry of a save: sizes in bytes, the tags of both texts, and the changed keys, at most 50. It never contains the texts, which are in
 * revisions, so that entries stay small.
 */
export const auditConfigSave = (
  deps: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  actor: Actor,
  { name, before, text, etag, changes, omitted }: AuditedSave,
): AuditEntry => {
  const changed = changes.slice(0, pointersMax).map(({ pointer }) => pointer.slice(0, pointerCharsMax))
  const more = changes.length - changed.length + omitted
  return createAuditEntry(deps, actor, {
    action: 'config.save',
    target: name,
    before: before === undefined ? null : { etag: before.etag, bytes: Buffer.byteLength(before.text) },
    after: { etag, bytes: Buffer.byteLength(text), changed, ...(more > 0 ? { more } : {}) },
  })
}

/** The entry for a save that failed after its audit entry. */
export const auditFailedSave = (
  deps: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  actor: Actor,
  name: ConfigName,
): AuditEntry => createAuditEntry(deps, actor, { action: 'config.save-failed', target: name, before: null, after: null })
