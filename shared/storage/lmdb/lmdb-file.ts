import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lacksPages } from './lmdb-pages.ts'
import { checkRoomForLmdb } from './lmdb-room.ts'

/** Where the fields lie in each of the two meta pages at the start of a data file: `MDB_page_header` and `MDB_meta` in lmdb's mdb.c, 64 bits. */
const layout = { flags: 18, magic: 24, version: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, transactionId: 152, length: 168 }
const metaPageFlag = 0x08
const magic = 0xbeefc0de
const dataVersion = 2
const noPage = 0xffff_ffff_ffff_ffffn

type Meta = { readonly transactionId: bigint; readonly pageSize: number; readonly roots: readonly bigint[] }

const readMeta = (file: number, offset: number): Meta => {
  const bytes = Buffer.alloc(layout.length)
  const known =
    readSync(file, bytes, 0, layout.length, offset) === layout.length &&
    (bytes.readUInt16LE(layout.flags) & metaPageFlag) !== 0 &&
    bytes.readUInt32LE(layout.magic) === magic &&
    (bytes.readUInt32LE(layout.version) & 0xffff) === dataVersion
  if (!known) throw new Error('the data file has no LMDB header, or one of another version')
  return {
    transactionId: bytes.readBigUInt64LE(layout.transactionId),
    pageSize: bytes.readUInt32LE(layout.pageSize),
    roots: [layout.freeRoot, layout.mainRoot].map((at) => bytes.readBigUInt64LE(at)).filter((page) => page !== noPage),
  }
}

const checkDataFile = (file: number, size: number): void => {
  const first = readMeta(file, 0)
  const second = readMeta(file, first.pageSize)
  const { pageSize, roots } = first.transactionId > second.transactionId ? first : second
  // Not the last page: LMDB itself leaves a file shorter when its last pages are free.
  if (roots.some((page) => (page + 1n) * BigInt(pageSize) > BigInt(size))) throw new Error('the data file has been cut short')
}

/**
 * Makes the folder of an LMDB environment when it is absent, for its owner only, and throws unless its data file is absent or empty,
 * with room for a new one, or looks whole: the native library does not survive the opening of any other.
 */
export const prepareLmdbFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const dataPath = join(path, 'data.mdb')
  if (statSync(join(path, 'lock.mdb'), { throwIfNoEntry: false })?.isDirectory())
    throw new Error('there is a folder named lock.mdb')
  const size = statSync(dataPath, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) {
    checkRoomForLmdb(path)
    return
  }
  const file = openSync(dataPath, 'r')
  try {
    checkDataFile(file, size)
  } finally {
    closeSync(file)
  }
  if (lacksPages(dataPath)) throw new Error('the data file has been cut short, or holds noise')
}
