import { etagOf } from '../../../shared/domain/configs/texts/config-etag.ts'
import {
  type ConfigFiles,
  type ConfigRevision,
  configBytesMax,
  configTooLarge,
  noSuchConfig,
  revisionsMax,
  staleConfig,
} from '../../../shared/domain/configs/texts/config-files.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'

export type MemoryConfigFilesOptions = {
  /** The default of each config file, by its name. */
  readonly bundled: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

type SavedText = ConfigRevision & { readonly text: string }

/** Config files in memory, for tests and for programs that write no disk. */
export const createMemoryConfigFiles = ({ bundled, clock, ids }: MemoryConfigFilesOptions): ConfigFiles => {
  const saves = new Map<string, SavedText[]>()

  const getSaves = (name: string): SavedText[] => {
    if (!Object.hasOwn(bundled, name)) throw noSuchConfig()
    const saved = saves.get(name) ?? []
    saves.set(name, saved)
    return saved
  }
  const add = (saved: SavedText[], text: string, savedBy: string): void => {
    saved.unshift({ revision: ids.uuid(), savedAt: new Date(clock.now()).toISOString(), savedBy, text })
    saved.splice(revisionsMax + 1)
  }
  const textOf = (name: string): string => getSaves(name)[0]?.text ?? bundled[name] ?? ''

  return {
    read: async (name) => {
      const text = textOf(name)
      return { text, etag: etagOf(text), source: getSaves(name).length > 0 ? 'data' : 'default' }
    },
    write: async (name, text, { ifEtag, savedBy }) => {
      const [saved, current] = [getSaves(name), textOf(name)]
      if (Buffer.byteLength(text) > configBytesMax) throw configTooLarge(name)
      if (ifEtag !== undefined && ifEtag !== etagOf(current)) throw staleConfig(name)
      if (text !== current) {
        if (saved.length === 0) add(saved, current, 'default')
        add(saved, text, savedBy)
      }
      return { etag: etagOf(text) }
    },
    findOrigin: async (name) => {
      const [newest] = getSaves(name)
      return newest && { savedAt: newest.savedAt, savedBy: newest.savedBy }
    },
    revisions: async (name) =>
      getSaves(name)
        .slice(1)
        .map(({ revision, savedAt, savedBy }) => ({ revision, savedAt, savedBy })),
    findRevision: async (name, revision) => saves.get(name)?.find((one) => one.revision === revision)?.text,
  }
}
