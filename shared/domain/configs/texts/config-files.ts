import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'

/** Texts of the config files, read only; which names exist is the catalogue's matter. */
export type ConfigReader = {
  /** The text in the data folder, else the bundled default; `etag` differs whenever the text does. */
  read(name: string): Promise<ConfigText>
}

export type ConfigText = {
  readonly text: string
  readonly etag: string
  readonly source: 'data' | 'default'
}

/** An earlier text of a config file: when it was saved, and by whom (an email; `default` for the bundled text, `file` for one that was written beside the server). */
export type ConfigRevision = {
  readonly revision: string
  /** ISO 8601, UTC. */
  readonly savedAt: string
  readonly savedBy: string
}

export type ConfigSave = {
  /** Throws AppError `stale` when the text in force has another tag; without it the last writer wins, and the text it replaced is a revision. */
  readonly ifEtag?: string
  readonly savedBy: string
}

/** Texts of the config files and what they were before. */
export type ConfigFiles = ConfigReader & {
  /**
   * Puts `text` in place of what `read` answers, all or nothing, durable when it resolves; the text before becomes a revision, of
   * which the last 20 are kept. One that is the same to the byte changes nothing and makes no revision. Throws AppError `unavailable`
   * (`storage-full` where the disk is full) with the old text whole, `too-large` for more than 1 MiB, and `not-found`.
   */
  write(name: string, text: string, save: ConfigSave): Promise<{ readonly etag: string }>
  /** Newest first, at most 20; throws AppError `not-found` for a name that is not a config file's. */
  revisions(name: string): Promise<readonly ConfigRevision[]>
  /** The text of a revision, or undefined when there is none of that name (any more). */
  findRevision(name: string, revision: string): Promise<string | undefined>
}

/** Bytes of UTF-8 that the text of a config file may have: 1 MiB. */
export const configBytesMax = 1_048_576

/** How many earlier texts of a file are kept. */
export const revisionsMax = 20

/** Whether a config file may have that name; it leads out of no folder. */
export const isConfigFileName = (name: string): boolean => /^[a-z0-9-]+(\/[a-z0-9-]+)*\.yaml$/.test(name)

export const noSuchConfig = (): AppError => new AppError('not-found', 'not-found', 'There is no config file of that name.')

/** Of a save whose text has more than `configBytesMax`. */
export const configTooLarge = (name: string): AppError =>
  new AppError('too-large', 'body-too-large', `${name} would be larger than 1 MiB.`)

/** Of a save with the tag of a text that is not in force any more. */
export const staleConfig = (name: string): AppError =>
  new AppError('stale', 'stale', `${name} has changed since it was read; read it again and repeat.`)

/** The tag of a text in UTF-8: the same for the same bytes. */
export const etagOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64url')
