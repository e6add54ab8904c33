import { configNames } from '../../../shared/domain/configs/catalogue.ts'
import { canonicalJson, createDigest, type Part, revisionCollections, sha256Of } from './part.ts'
import { copyRecords } from './records-part.ts'

/** The previous texts of config files, record by record. */
const configRevisions: Part = {
  name: 'config revisions',
  count: async ({ configs }) => {
    const earlier = await Promise.all(configNames.map((name) => configs.listEarlier(name)))
    return earlier.flat().length
  },
  copy: async (copying) => {
    for (const name of revisionCollections) await copyRecords({ ...copying, onKept: () => undefined }, { name })
    copying.onKept(await configRevisions.count(copying.source))
  },
  digest: async ({ configs }, { onSeen }) => {
    const digest = createDigest()
    for (const name of configNames)
      for (const { revision, savedAt, savedBy } of await configs.listEarlier(name)) {
        const bytes = await configs.findEarlier(name, revision)
        digest.add(`${name}/${revision}`, canonicalJson({ savedAt, savedBy, sha256: bytes && sha256Of(bytes) }))
        onSeen(1)
      }
    return digest.end()
  },
}

/** The active texts, byte for byte, with time and author of their save. A bundled text is the same everywhere. */
const configTexts: Part = {
  name: 'config texts',
  count: async ({ configs }) => {
    const texts = await Promise.all(configNames.map((name) => configs.findInForce(name)))
    return texts.filter((text) => text !== undefined).length
  },
  copy: async ({ source, target, onKept, signal }) => {
    for (const name of configNames) {
      signal.throwIfAborted()
      const text = await source.configs.findInForce(name)
      await target.configs.putInForce(name, text)
      onKept(text === undefined ? 0 : 1)
    }
  },
  digest: async ({ configs }, { onSeen }) => {
    const digest = createDigest()
    for (const name of configNames) {
      const text = await configs.findInForce(name)
      if (text === undefined) continue
      const { bytes, savedAt, savedBy } = text
      digest.add(name, canonicalJson({ savedAt, savedBy, sha256: sha256Of(bytes) }))
      onSeen(1)
    }
    return digest.end()
  },
}

/** Config files: the revisions first, then the active texts. */
export const configParts: readonly Part[] = [configRevisions, configTexts]
