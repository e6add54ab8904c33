import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { etagOf } from '../config-etag.ts'
import { revisionsMax } from '../config-files.ts'
import { findInForce, type RevisionLog } from '../config-files-revisions.ts'
import type { ConfigTarget } from '../config-move.ts'
import { decodeConfig, readFileOnDisk } from './config-file-on-disk.ts'

export type EmbeddedConfigTargetDeps = {
  /** The folder of the texts that admins edit: `<dataDir>/config`. */
  readonly configDir: string
  /** The folder of the bundled texts. */
  readonly bundledDir: string
  readonly revisionLog: RevisionLog
}

/** The config texts of a data folder. The active text is a file, which may be edited by hand and then is not a revision. */
export const createEmbeddedConfigTarget = ({ configDir, bundledDir, revisionLog }: EmbeddedConfigTargetDeps): ConfigTarget => {
  const findFile = (name: string) => readFileOnDisk(join(configDir, name), name)

  const listSaved = async (name: string) => {
    const file = (await findFile(name)) ?? (await readFileOnDisk(join(bundledDir, name), name))
    const saved = await revisionLog.list(name)
    return { saved, inForce: findInForce(saved, file && etagOf(file.bytes)) }
  }

  return {
    findInForce: async (name) => {
      const file = await findFile(name)
      if (file === undefined) return undefined
      const { inForce } = await listSaved(name)
      const origin =
        inForce === undefined || inForce.savedBy === 'default'
          ? { savedAt: new Date(Math.floor(file.modifiedMs)).toISOString(), savedBy: 'file' }
          : { savedAt: inForce.savedAt, savedBy: inForce.savedBy }
      return { bytes: file.bytes, etag: etagOf(file.bytes), ...origin }
    },
    listEarlier: async (name) => {
      const { saved, inForce } = await listSaved(name)
      return saved.filter((one) => one !== inForce).slice(0, revisionsMax)
    },
    findEarlier: (name, revision) => revisionLog.find(name, revision),
    putInForce: async (name, text) => {
      if (text === undefined) return
      const { bytes, ...saved } = text
      const kept = (await revisionLog.list(name)).some(({ etag }) => etag === saved.etag)
      if (!kept) await revisionLog.append(name, text)
      if ((await findFile(name))?.bytes.equals(bytes)) return
      const path = join(configDir, name)
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, decodeConfig(bytes, name))
    },
  }
}
