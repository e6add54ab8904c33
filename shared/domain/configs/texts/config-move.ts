import type { SavedText, TextToKeep } from './config-files-revisions.ts'

/** The config texts of one place as they are moved to another: the one in force by itself, the revisions as records of its Store. */
export type ConfigSource = {
  /** The text in force with when and by whom it was saved; undefined where the bundled one is. */
  findInForce(name: string): Promise<TextToKeep | undefined>
  /** Those before the one in force, newest first, at most 20. */
  listEarlier(name: string): Promise<readonly SavedText[]>
  /** The bytes of an earlier text, undefined when there is none of that name. */
  findEarlier(name: string, revision: string): Promise<Uint8Array | undefined>
}

/** A place that texts are moved to, once their revisions are in its Store. Doing it again changes nothing. */
export type ConfigTarget = ConfigSource & {
  /** Makes it the text in force, as it was saved; undefined for the bundled one. */
  putInForce(name: string, text: TextToKeep | undefined): Promise<void>
}
