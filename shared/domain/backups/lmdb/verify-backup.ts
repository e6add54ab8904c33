import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { prepareLmdbFolder } from '../../../platform/storage/lmdb/lmdb-file.ts'
import { createBlockRegistry } from '../../worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../worlds/chunks/decode-chunk.ts'
import { createLmdbChunkStore } from '../../worlds/store/lmdb/chunk-store-lmdb.ts'
import { type WorldRecord, worldRecords } from '../../worlds/world.ts'

/** An unreadable record of a backup. */
class BackupDamage extends Error {
  override readonly name = 'BackupDamage'
}

const worldPrefix = `${worldRecords.name}\0`

const readRecords = (folder: string): { readonly worlds: readonly WorldRecord[]; readonly records: number } => {
  prepareLmdbFolder(folder)
  const source = open<string, Buffer>({
    path: folder,
    noSubdir: false,
    encoding: 'string',
    keyEncoding: 'binary',
    readOnly: true,
  })
  const worlds: WorldRecord[] = []
  let records = 0
  for (const { key, value } of source.getRange({})) {
    const name = Buffer.from(key).toString('utf8')
    if (name.startsWith('\0')) continue
    const parsed: unknown = JSON.parse(value.slice(value.indexOf('\n') + 1))
    if (name.startsWith(worldPrefix)) worlds.push(worldRecords.parse(parsed))
    records += 1
  }
  void source.close()
  return { worlds, records }
}

const columnsPerBatch = 64

const readWorld = async (path: string, world: WorldRecord, tell: (columns: number) => void): Promise<void> => {
  const chunks = createLmdbChunkStore({ path, isReadOnly: true })
  for await (const { cx, czs } of chunks.discovered(world))
    for (let from = 0; from < czs.length; from += columnsPerBatch) {
      const positions = Array.from(czs.slice(from, from + columnsPerBatch), (cz) => ({ cx, cz }))
      const found = await chunks.getMany(world, positions)
      // A new registry for each batch, because a registry keeps unknown ids forever.
      const registry = createBlockRegistry([])
      for (const [n, pos] of positions.entries()) {
        const bytes = found[n]
        const where = `column ${pos.cx},${pos.cz} of the world "${world.name}"`
        if (bytes === undefined) throw new BackupDamage(`${where} is missing`)
        const decoded = decodeChunk(bytes, pos, registry)
        if (!decoded.ok && !decoded.newer) throw new BackupDamage(`${where} is damaged: ${decoded.fault}`)
      }
      tell(positions.length)
    }
  await chunks.close()
}

/** Verifies every record and every column of a backup; throws BackupDamage at the first unreadable one. */
export const verifyBackup = async (
  folder: string,
  tell: (columns: number) => void,
): Promise<{ records: number; columns: number }> => {
  let columns = 0
  try {
    const { worlds, records } = readRecords(join(folder, 'records'))
    for (const world of worlds)
      if (existsSync(join(folder, 'worlds', world.name, 'data.mdb')))
        await readWorld(join(folder, 'worlds'), world, (more) => {
          columns += more
          tell(columns)
        })
    return { records, columns }
  } catch (error) {
    if (error instanceof BackupDamage) throw error
    throw new BackupDamage(error instanceof Error ? error.message : String(error))
  }
}
