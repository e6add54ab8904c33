import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { fileVersion, replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { etagOf, staleConfig } from '../config-etag.ts'
import type { ConfigSave } from '../config-files.ts'
import { findInForce, type RevisionLog } from '../config-files-revisions.ts'

export type ConfigOnDisk = {
  readonly bytes: Buffer
  readonly etag: string
  /** Undefined for a bundled default. */
  readonly modifiedMs: number | undefined
}

export type ConfigReplacement = {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly save: ConfigSave
  readonly clock: Clock
  readonly revisionLog: RevisionLog
  readonly find: () => Promise<ConfigOnDisk>
}

/** How often a save starts again because another program edits the file at the same moment. */
const attemptsMax = 20

const atIso = (ms: number): string => new Date(ms).toISOString()

/** Stores the active text, unless its own save did, then the text that replaces it. True if the latter was not stored before. */
const keepBoth = async (
  current: ConfigOnDisk,
  next: Buffer,
  { name, save, clock, revisionLog }: ConfigReplacement,
): Promise<boolean> => {
  const { bytes, etag, modifiedMs } = current
  const now = atIso(clock.now())
  const saved = await revisionLog.list(name)
  const kept = findInForce(saved, etag)
  if (kept === undefined) {
    const origin =
      modifiedMs === undefined ? { savedAt: now, savedBy: 'default' } : { savedAt: atIso(modifiedMs), savedBy: 'file' }
    await revisionLog.append(name, { bytes, etag, ...origin })
    // A text further down would soon expire. The second one may belong to an interrupted save.
  } else if (saved.indexOf(kept) > 1) await revisionLog.raise(name, kept.revision)
  return revisionLog.append(name, { bytes: next, etag: etagOf(next), savedAt: now, savedBy: save.savedBy })
}

/**
 * Replaces a config file while holding the lock of all. Writes the text next to the file, then stores it and the previous text as revisions,
 * and only then replaces the file. Starts again if a program without the lock edits the file in the meantime.
 */
export const replaceConfig = async (replacement: ConfigReplacement): Promise<{ readonly etag: string }> => {
  const { name, path, text, save, revisionLog, find } = replacement
  const bytes = Buffer.from(text, 'utf8')
  const etag = etagOf(bytes)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const version = await fileVersion(path)
    const current = await find()
    if (save.ifEtag !== undefined && save.ifEtag !== current.etag) throw staleConfig(name)
    if (etag === current.etag) return { etag }
    const moved = new Error('the config file was edited in the meantime')
    const isMoved = async () => (await fileVersion(path)) !== version
    const beforeRename = async () => {
      if (await isMoved()) throw moved
      const isNew = await keepBoth(current, bytes, replacement)
      if (!(await isMoved())) return
      if (isNew) await revisionLog.dropNewest(name)
      throw moved
    }
    try {
      await replaceFile(path, text, { beforeRename })
      return { etag }
    } catch (error) {
      if (error !== moved) throw error
    }
  }
  throw new AppError('unavailable', 'service-unavailable', `Too many edits of ${name} at once. Try again in a moment.`, {
    retryAfterSeconds: 1,
  })
}
