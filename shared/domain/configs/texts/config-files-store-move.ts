import type { Clock } from '../../../kernel/clock.ts'
import { etagOf } from './config-etag.ts'
import { revisionsMax } from './config-files.ts'
import type { RevisionLog } from './config-files-revisions.ts'
import { findInForce } from './config-files-revisions.ts'
import type { ConfigTarget } from './config-move.ts'

export type StoreConfigTargetDeps = {
  readonly revisionLog: RevisionLog
  /** The bundled text of a config file. */
  readonly readBundled: (name: string) => Promise<string | undefined>
  readonly clock: Pick<Clock, 'now'>
}

const bundledText = 'default'

/** The config texts of a Store. The newest revision is the active text, unless it is marked as the bundled one. */
export const createStoreConfigTarget = ({ revisionLog, readBundled, clock }: StoreConfigTargetDeps): ConfigTarget => {
  const readBundledText = async (name: string) => {
    const bytes = Buffer.from((await readBundled(name)) ?? '', 'utf8')
    const etag = etagOf(bytes)
    return { bytes, etag, savedBy: bundledText }
  }

  return {
    findInForce: async (name) => {
      const newest = await revisionLog.findNewest(name)
      if (newest === undefined || newest.savedBy === bundledText) return undefined
      const { bytes, etag, savedAt, savedBy } = newest
      return { bytes, etag, savedAt, savedBy }
    },
    listEarlier: async (name) => (await revisionLog.list(name)).slice(1, revisionsMax + 1),
    findEarlier: (name, revision) => revisionLog.find(name, revision),
    putInForce: async (name, text) => {
      const saved = await revisionLog.list(name)
      const [newest] = saved
      if (text === undefined && (newest === undefined || newest.savedBy === bundledText)) return
      const { bytes, etag, savedBy, savedAt } = text ?? {
        ...(await readBundledText(name)),
        savedAt: new Date(clock.now()).toISOString(),
      }
      const kept = findInForce(saved, etag)
      if (kept !== undefined) await revisionLog.raise(name, kept.revision)
      // For a text that is already the newest, `append` only updates its entry.
      if (kept?.savedAt !== savedAt || kept.savedBy !== savedBy) await revisionLog.append(name, { bytes, etag, savedAt, savedBy })
    },
  }
}
