import type { SavedText, TextToKeep } from './config-files-revisions.ts'

/** Config texts that are moved from one place to another: the active text by itself, revisions as records of its Store. */
export type ConfigSource = {
  /** The active text with the time and author of its save; undefined if that is the bundled one. */
  findInForce(name: string): Promise<TextToKeep | undefined>
  /** Texts before the active one, newest first, at most 20. */
  listEarlier(name: string): Promise<readonly SavedText[]>
  /** The bytes of an earlier text, undefined if there is no such revision. */
  findEarlier(name: string, revision: string): Promise<Uint8Array | undefined>
}

/** A place that receives texts after their revisions are in its Store. Idempotent. */
export type ConfigTarget = ConfigSource & {
  /** Makes it the active text with its original save; undefined for the bundled one. */
  putInForce(name: string, text: TextToKeep | undefined): Promise<void>
}
