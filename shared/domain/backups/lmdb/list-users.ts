import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { prepareLmdbFolder } from '../../../platform/storage/lmdb/lmdb-file.ts'

/** Other processes that have the records of a data folder open: servers, and tasks of the command line. */
export const listUsers = async (dataDir: string): Promise<readonly number[]> => {
  const path = join(dataDir, 'records')
  if (!existsSync(join(path, 'data.mdb'))) return []
  prepareLmdbFolder(path)
  const records = open<string, Buffer>({ path, noSubdir: false, encoding: 'string', keyEncoding: 'binary' })
  try {
    // Remove entries of processes that crashed.
    records.readerCheck()
    const pids = records
      .readerList()
      .split('\n')
      .map((line) => Number(/^\s*(\d+)\s/.exec(line)?.[1]))
    return [...new Set(pids)].filter((pid) => pid > 0 && pid !== process.pid)
  } finally {
    await records.close()
  }
}
