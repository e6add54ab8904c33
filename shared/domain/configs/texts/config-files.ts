import { AppError } from '../../../kernel/errors.ts'

/** Read access to the texts of the config files. The catalogue defines which names exist. */
export type ConfigReader = {
  /** The text in the data folder, otherwise the bundled default; `etag` changes with the text. */
  read(name: string): Promise<ConfigText>
}

export type ConfigText = {
  readonly text: string
  readonly etag: string
  readonly source: 'data' | 'default'
}

/** An earlier text of a config file. `savedBy` is an email, `default` for the bundled text, or `file` for a text written outside the server. */
export type ConfigRevision = {
  readonly revision: string
  /** ISO 8601, UTC. */
  readonly savedAt: string
  readonly savedBy: string
}

/** The author and time of the active text. `savedBy` is an email, or `file` for a text written outside the server. */
type ConfigOrigin = Pick<ConfigRevision, 'savedAt' | 'savedBy'>

export type ConfigSave = {
  /** Throws AppError `stale` if the active text has another tag. Without it the last writer wins, and the replaced text becomes a revision. */
  readonly ifEtag?: string
  readonly savedBy: string
}

/** Texts of the config files with their revisions. */
export type ConfigFiles = ConfigReader & {
  /**
   * Replaces the text that `read` returns, atomically; durable when it resolves. The previous text becomes a revision, of which the last 20
   * are kept. An identical text changes nothing and adds no revision. Throws AppError `unavailable` (`storage-full` if the disk is full) with
   * the old text intact, `too-large` above 1 MiB, and `not-found`.
   */
  write(name: string, text: string, save: ConfigSave): Promise<{ readonly etag: string }>
  /** The origin of the text that `read` returns; undefined for the bundled default. Throws AppError `not-found`. */
  findOrigin(name: string): Promise<ConfigOrigin | undefined>
  /** Newest first, at most 20; throws AppError `not-found` if there is no config file with that name. */
  revisions(name: string): Promise<readonly ConfigRevision[]>
  /** The text of a revision, or undefined if there is none, or no longer. */
  findRevision(name: string, revision: string): Promise<string | undefined>
}

/** Maximum size of a config file in bytes of UTF-8: 1 MiB. */
export const configBytesMax = 1_048_576

/** Earlier texts kept for each file. */
export const revisionsMax = 20

/** Whether a config file may have that name; such a name cannot leave its folder. */
export const isConfigFileName = (name: string): boolean => /^[a-z0-9-]+(\/[a-z0-9-]+)*\.yaml$/.test(name)

export const noSuchConfig = (): AppError => new AppError('not-found', 'not-found', 'There is no config file with that name.')

/** The error for a text larger than `configBytesMax`. */
export const configTooLarge = (name: string): AppError =>
  new AppError('too-large', 'body-too-large', `${name} would be larger than 1 MiB.`)

/** The error for a save with the tag of a text that is no longer active. */
export const staleConfig = (name: string): AppError =>
  new AppError('stale', 'stale', `${name} has changed since you read it. Read it again, then repeat your change.`)
