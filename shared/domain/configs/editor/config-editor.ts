import type { Actor } from '../../accounts/actor.ts'
import type { ConfigChange } from '../compare/config-change.ts'
import type { ConfigImpact } from '../compare/config-impact-schema.ts'
import type { ConfigName } from '../declare/config-values.ts'
import type { ConfigRevision, ConfigText } from '../texts/config-files.ts'

/** What it takes until the whole of a text is in force. */
export type SaveEffect = 'reload' | 'restart'

export type SavedConfig = { readonly name: ConfigName; readonly etag: string; readonly effect: SaveEffect }

export type ConfigWriter = {
  readonly actor: Actor
  /** Throws AppError `stale` when the stored text has another tag; without it the last writer wins. */
  readonly ifEtag?: string
}

/** What saving a text would change. */
export type Rehearsal = {
  readonly name: ConfigName
  readonly effect: SaveEffect
  /** From what is stored to the text, each with what it takes to be in force. */
  readonly changes: readonly ConfigChange[]
  /** Whom and what it touches; nobody by name for a writer without `admin.users.read`. */
  readonly impact: ConfigImpact
}

/**
 * Reads and writes config files for administrators, who may do so by the edge's word; the file's own permission to read is asked for
 * here. Every name that is not in the catalogue throws AppError `not-found`, whatever is on disk.
 */
export type ConfigEditor = {
  /** Sorted. */
  list(): readonly ConfigName[]
  /** The stored text, and the strongest effect that a change of the file can have. */
  read(name: string, actor: Actor): Promise<ConfigText & { readonly effect: SaveEffect }>
  /**
   * Checks a text, audits it and puts it in place; the text before becomes a revision. The same text again changes nothing. Throws
   * AppError `unprocessable` `invalid-config` with every fault, `beyond-own-permissions`, `stale`, and `unavailable` with the old text whole.
   */
  save(name: string, text: string, writer: ConfigWriter): Promise<SavedConfig>
  /** Checks a text as `save` does, and tells what saving it would change; writes nothing. */
  rehearse(name: string, text: string, writer: ConfigWriter): Promise<Rehearsal>
  /** Earlier texts, newest first, at most 20. */
  revisions(name: string, actor: Actor): Promise<readonly ConfigRevision[]>
  /** An earlier text; throws `not-found` when there is none of that name (any more). */
  getRevision(name: string, revision: string, actor: Actor): Promise<string>
}
