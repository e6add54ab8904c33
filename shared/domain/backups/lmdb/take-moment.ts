import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import { folderModeAt } from '../../../platform/storage/files/group-folder.ts'
import { refuseSameProcessId } from '../../../platform/storage/lmdb/refuse-same-process-id.ts'
import type { Copied } from './copy-messages.ts'

type Source = Copied & { readonly store: RootDatabase<Buffer, Buffer> }

/** An environment at the moment of the copy: its reader, which keeps its pages from being reused, its two meta pages, and its length. */
type Snapshot = Source & { readonly reader: Transaction; readonly metas: Buffer; readonly length: number }

const fileOf = (folder: string): string => join(folder, 'data.mdb')

const openStore = (path: string): RootDatabase<Buffer, Buffer> => {
  refuseSameProcessId(path)
  return open<Buffer, Buffer>({ path, noSubdir: false, overlappingSync: false, eventTurnBatching: false, keyEncoding: 'binary' })
}

/** Whether this process has a reader with a transaction in the environment. */
const hasReader = (store: RootDatabase): boolean =>
  store
    .readerList()
    .split('\n')
    .some((line) => {
      const [pid, , transaction] = line.trim().split(/\s+/)
      return pid === String(process.pid) && /^\d+$/.test(transaction ?? '')
    })

const metaPages = 2

const readStart = (path: string, bytes: number): { readonly start: Buffer; readonly length: number } => {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(bytes)
    if (readSync(file, start, 0, bytes, 0) !== bytes) throw new Error(`${path} is shorter than its first pages`)
    return { start, length: fstatSync(file).size }
  } finally {
    closeSync(file)
  }
}

/** Called while the write lock is held: the last commit is complete, and the next has not begun. */
const takeSnapshot = (source: Source): Snapshot => {
  const { store, from } = source
  const reader = store.useReadTransaction()
  if (!hasReader(store)) throw new Error(`no reader of ${from} could be had`)
  const { pageSize } = store.getStats() as { readonly pageSize: number }
  const { start, length } = readStart(fileOf(from), pageSize * metaPages)
  return { ...source, reader, metas: start, length }
}

/**
 * Copies the pages like LMDB's own copy. Concurrent commits write only to meta pages and to pages outside the snapshot. The meta pages of
 * the snapshot then replace those of the copy.
 */
const copyPages = ({ from, to, metas, length }: Snapshot): void => {
  mkdirSync(to, { recursive: true, mode: folderModeAt(to) })
  copyFileSync(fileOf(from), fileOf(to), constants.COPYFILE_FICLONE)
  const file = openSync(fileOf(to), 'r+')
  try {
    writeSync(file, metas, 0, metas.length, 0)
    ftruncateSync(file, length)
  } finally {
    closeSync(file)
  }
}

/**
 * Copies LMDB environments as of one moment. Holds the write locks of all, so that no process commits, until each has a reader of its last
 * commit. Then it releases the locks, after a few milliseconds, calls `taken` and copies the pages.
 */
export const takeMoment = async (environments: readonly Copied[], taken: () => void): Promise<void> => {
  const sources = environments.map((copied) => ({ ...copied, store: openStore(copied.from) }))
  const snapshots: Snapshot[] = []
  const holdAll = (at: number): void => {
    const next = sources[at]
    if (next === undefined) for (const source of sources) snapshots.push(takeSnapshot(source))
    else next.store.transactionSync(() => holdAll(at + 1))
  }
  try {
    holdAll(0)
    taken()
    for (const snapshot of snapshots) copyPages(snapshot)
  } finally {
    for (const { reader } of snapshots) reader.done()
    await Promise.allSettled(sources.map(({ store }) => store.close()))
  }
}
