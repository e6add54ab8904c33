import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'

const addFile = async (archive: Pack, path: string, name: string): Promise<void> => {
  const { size, mtime } = await stat(path)
  if (size === 0) archive.entry({ name, mtime, mode: 0o600 }, '')
  else await pipeline(createReadStream(path), archive.entry({ name, size, mtime, mode: 0o600 }))
}

const addFolder = async (archive: Pack, folder: string, prefix: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile() && one.name !== 'lock.mdb').map((one) => join(one.parentPath, one.name))
  for (const path of paths.sort()) await addFile(archive, path, [prefix, ...relative(folder, path).split(sep)].join('/'))
  archive.finalize()
}

/** The files below a folder as a tar archive with one top folder, `prefix`. Locks are left out. */
export const archiveFolder = (folder: string, prefix: string): AsyncIterable<Uint8Array> => {
  const archive = pack()
  addFolder(archive, folder, prefix).catch((error: Error) => archive.destroy(error))
  return archive as AsyncIterable<Uint8Array>
}
