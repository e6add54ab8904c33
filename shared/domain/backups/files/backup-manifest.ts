import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createParser } from '../../../kernel/schema.ts'
import { Backup } from '../backup.ts'

export const manifestName = 'backup.json'
export const manifestFormat = 'gatehouse backup 1'

/** `backup.json` of a backup, written last: a folder without it is not a backup. */
export const Manifest = ClosedObject({
  format: Type.Literal(manifestFormat),
  ...Backup.properties,
  /** The SHA-256 of each config file, by its path. */
  configs: Type.Record(Type.String(), Type.String()),
})
export type Manifest = Static<typeof Manifest>

const parseManifest = createParser(Manifest)
const idPattern = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/

/** An id that sorts by its time. */
export const createBackupId = (atMs: number, uuid: string): string =>
  `${new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')}-${uuid.slice(0, 8)}`

/** Undefined if there is no complete backup with that id. */
export const findManifest = async (backupDir: string, id: string): Promise<Manifest | undefined> => {
  if (!idPattern.test(id)) return undefined
  try {
    const parsed = parseManifest(JSON.parse(await readFile(join(backupDir, id, manifestName), 'utf8')))
    return parsed.ok && parsed.value.id === id ? parsed.value : undefined
  } catch {
    return undefined
  }
}

/** Newest first. */
export const listManifests = async (backupDir: string): Promise<readonly Manifest[]> => {
  const names = await readdir(backupDir).catch(() => [])
  const found = await Promise.all(names.map((name) => findManifest(backupDir, name)))
  return found.filter((one) => one !== undefined).sort((one, other) => (one.id < other.id ? 1 : -1))
}

export const viewBackup = ({ format, configs, ...backup }: Manifest): Backup => backup
