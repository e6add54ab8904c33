import type { Actor } from '../../accounts/actor.ts'
import type { ConfigChange } from '../compare/config-change.ts'
import type { ConfigImpact } from '../compare/config-impact-schema.ts'
import type { ConfigName } from '../declare/config-values.ts'
import type { ConfigRevision, ConfigText } from '../texts/config-files.ts'

/** What the whole text needs to apply. */
export type SaveEffect = 'reload' | 'restart'

export type SavedConfig = { readonly name: ConfigName; readonly etag: string; readonly effect: SaveEffect }

export type ConfigWriter = {
  readonly actor: Actor
  /** Throws AppError `stale` if the stored text has another tag; without it the last writer wins. */
  readonly ifEtag?: string
}

/** A config file for a list. The fields about its text are absent for a reader without the permission of the file. */
export type ListedConfig = {
  readonly name: ConfigName
  readonly summary: string
  readonly effect: SaveEffect
  /** Whether the values equal the bundled ones, whatever the comments. */
  readonly isDefault?: boolean
  /** ISO 8601, UTC; absent for the bundled text. */
  readonly savedAt?: string
  readonly savedBy?: string
}

/** The changes that saving a text would make. */
export type Rehearsal = {
  readonly name: ConfigName
  readonly effect: SaveEffect
  /** From the stored text to the new one. */
  readonly changes: readonly ConfigChange[]
  /** The effects on players and accounts, without emails for a writer without `admin.users.read`. */
  readonly impact: ConfigImpact
}

/**
 * Reads and writes config files for administrators. The caller has checked the general permission; this checks the file's own permission
 * to read. A name that is not in the catalogue throws AppError `not-found`, whatever is on disk.
 */
export type ConfigEditor = {
  /** Sorted. */
  list(): readonly ConfigName[]
  /** The files with their purpose and state, in the order of `list`. */
  describeAll(actor: Actor): Promise<readonly ListedConfig[]>
  /** The stored text, and the strongest effect that a change of the file can have. */
  read(name: string, actor: Actor): Promise<ConfigText & { readonly effect: SaveEffect }>
  /**
   * Checks a text, audits it and stores it; the previous text becomes a revision. An unchanged text changes nothing. Throws AppError
   * `unprocessable` `invalid-config` with every fault, `beyond-own-permissions`, `stale`, and `unavailable` with the old text intact.
   */
  save(name: string, text: string, writer: ConfigWriter): Promise<SavedConfig>
  /** Checks a text like `save` and returns what saving it would change; writes nothing. */
  rehearse(name: string, text: string, writer: ConfigWriter): Promise<Rehearsal>
  /** Earlier texts, newest first, at most 20. */
  revisions(name: string, actor: Actor): Promise<readonly ConfigRevision[]>
  /** An earlier text; throws `not-found` if there is no such revision, or no longer. */
  getRevision(name: string, revision: string, actor: Actor): Promise<string>
}
