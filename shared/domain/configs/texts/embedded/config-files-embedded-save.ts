import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { fileVersion, replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { type ConfigSave, etagOf, staleConfig } from '../config-files.ts'
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

/** How often a save starts again because somebody edits the file at that very moment. */
const attemptsMax = 20

const atIso = (ms: number): string => new Date(ms).toISOString()

/** Keeps the text in force, unless its own save kept it, then the text that replaces it. True where the latter was not kept already. */
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
    // One further down would soon be gone for its age. The newest but one may be that of a save that was cut off.
  } else if (saved.indexOf(kept) > 1) await revisionLog.raise(name, kept.revision)
  return revisionLog.append(name, { bytes: next, etag: etagOf(next), savedAt: now, savedBy: save.savedBy })
}

/**
 * Puts a text in place of a config file, under the lock of all. The text lies safe beside the file first; then it and the text before it are kept as revisions; only then it is put in its place. Somebody who edits the file meanwhile, and knows no lock, is noticed.
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
    const moved = new Error('the config file was edited meanwhile')
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
  throw new AppError('unavailable', 'service-unavailable', `${name} is being edited all the time.`, { retryAfterSeconds: 1 })
}
