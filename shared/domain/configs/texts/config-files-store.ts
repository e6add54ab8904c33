import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { createQueue } from '../../../kernel/queue.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { etagOf } from './config-etag.ts'
import {
  type ConfigFiles,
  type ConfigSave,
  configBytesMax,
  configTooLarge,
  isConfigFileName,
  noSuchConfig,
  revisionsMax,
  staleConfig,
} from './config-files.ts'
import { createRevisionLog } from './config-files-revisions.ts'

export type StoreConfigFilesOptions = {
  readonly store: Store
  /** The default of a config file; undefined if there is no config file with that name. */
  readonly readBundled: (name: string) => Promise<string | undefined>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

/** The active text, and the revision that a save must follow; `null` if there is none. */
type InForce = { readonly text: string; readonly etag: string; readonly isSaved: boolean; readonly newest: string | null }

/** Marks a replaced bundled text. If it is the newest, a save was interrupted before it stored its own text. */
const bundledText = 'default'
const attemptsMax = 64

/**
 * Config texts in a Store (docs/decisions/0030-dynamodb.md): the newest revision is the active text, otherwise the bundled one. A read
 * costs a page of one record, then all parts of the text in parallel.
 */
export const createStoreConfigFiles = ({ store, readBundled, clock, ids }: StoreConfigFilesOptions): ConfigFiles => {
  const revisionLog = createRevisionLog(store, ids)
  const inTurn = createQueue()

  const getBundled = async (name: string): Promise<string> => {
    const text = isConfigFileName(name) ? await readBundled(name) : undefined
    if (text === undefined) throw noSuchConfig()
    return text
  }

  const findInForce = async (name: string): Promise<InForce> => {
    const bundled = await getBundled(name)
    const newest = await revisionLog.findNewest(name)
    const isSaved = newest !== undefined && newest.savedBy !== bundledText
    const bytes = isSaved ? newest.bytes : Buffer.from(bundled, 'utf8')
    return { text: bytes.toString('utf8'), etag: etagOf(bytes), isSaved, newest: newest?.revision ?? null }
  }

  /** Appends after the revision that was read, or throws AppError `conflict`. */
  const append = async (name: string, bytes: Buffer, savedBy: string, onTopOf: string | null): Promise<void> => {
    const savedAt = new Date(clock.now()).toISOString()
    await revisionLog.append(name, { bytes, etag: etagOf(bytes), savedAt, savedBy }, onTopOf)
  }

  const saveOnce = async (name: string, bytes: Buffer, { ifEtag, savedBy }: ConfigSave): Promise<void> => {
    const inForce = await findInForce(name)
    if (ifEtag !== undefined && ifEtag !== inForce.etag) throw staleConfig(name)
    if (etagOf(bytes) === inForce.etag) return
    if (inForce.isSaved) return append(name, bytes, savedBy, inForce.newest)
    await append(name, Buffer.from(inForce.text, 'utf8'), bundledText, inForce.newest)
    const { newest, isSaved } = await findInForce(name)
    if (isSaved) throw new AppError('conflict', 'conflict', 'Another admin saved this file at the same time.')
    await append(name, bytes, savedBy, newest)
  }

  const save = async (name: string, text: string, options: ConfigSave): Promise<{ readonly etag: string }> => {
    const bytes = Buffer.from(text, 'utf8')
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      try {
        await saveOnce(name, bytes, options)
        return { etag: etagOf(bytes) }
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'conflict')) throw error
      }
    }
    throw new AppError('unavailable', 'service-unavailable', `Too many saves of ${name} at once. Try again in a moment.`, {
      retryAfterSeconds: 1,
    })
  }

  return {
    read: async (name) => {
      const { text, etag, isSaved } = await findInForce(name)
      return { text, etag, source: isSaved ? 'data' : 'default' }
    },
    write: (name, text, options) =>
      inTurn(async () => {
        if (Buffer.byteLength(text) > configBytesMax) throw configTooLarge(name)
        return save(name, text, options)
      }),
    findOrigin: async (name) => {
      await getBundled(name)
      const [newest] = await revisionLog.list(name)
      if (newest === undefined || newest.savedBy === bundledText) return undefined
      return { savedAt: newest.savedAt, savedBy: newest.savedBy }
    },
    revisions: async (name) => {
      await getBundled(name)
      const earlier = (await revisionLog.list(name)).slice(1, revisionsMax + 1)
      return earlier.map(({ revision, savedAt, savedBy }) => ({ revision, savedAt, savedBy }))
    },
    findRevision: async (name, revision) => (await revisionLog.find(name, revision))?.toString('utf8'),
  }
}
