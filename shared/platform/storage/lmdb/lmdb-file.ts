import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../files/code-of.ts'
import { folderModeAt } from '../files/group-folder.ts'
import { checkRoomForLmdb } from './lmdb-room.ts'
import { refuseSameProcessId } from './refuse-same-process-id.ts'

/** The offsets of fields in LMDB's pages: `MDB_page_header`, `MDB_meta` and `MDB_node` in lmdb's mdb.c, 64 bits, little-endian. */
const header = { flags: 18, lower: 20, length: 24 } as const
/** In each of the two meta pages at the start of a data file. */
const meta = { magic: 24, version: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, lastPage: 144, transactionId: 152, length: 168 }
const node = { high: 2, flags: 4, keySize: 6, length: 8 } as const
/** In the reference to a large value, `MDB_ovpage`, after the number of its first page. */
const largePages = 16
const isBranch = 0x01
const isLarge = 0x01
const noPage = 0xffff_ffff_ffff_ffffn

/** The maximum number of attempts while another process writes. */
const roundsMax = 5

type Snapshot = {
  readonly transactionId: bigint
  readonly pageSize: number
  readonly lastPage: number
  readonly roots: readonly number[]
}

const readBytes = (file: number, length: number, at: number): Buffer | undefined => {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined
}

const readSnapshot = (file: number): Snapshot | undefined => {
  const first = readBytes(file, meta.length, 0)
  const second = first && readBytes(file, meta.length, first.readUInt32LE(meta.pageSize))
  if (first === undefined || second === undefined) return undefined
  const newer = first.readBigUInt64LE(meta.transactionId) > second.readBigUInt64LE(meta.transactionId) ? first : second
  return {
    transactionId: newer.readBigUInt64LE(meta.transactionId),
    pageSize: first.readUInt32LE(meta.pageSize),
    lastPage: Number(newer.readBigUInt64LE(meta.lastPage)),
    roots: [meta.freeRoot, meta.mainRoot]
      .map((at) => newer.readBigUInt64LE(at))
      .filter((page) => page !== noPage)
      .map(Number),
  }
}

/** The child pages of a page; undefined if one of its large values ends past `size`. */
const childrenOf = (page: Buffer, size: number): number[] | undefined => {
  const flags = page.readUInt16LE(header.flags)
  const children: number[] = []
  for (let slot = 0; slot < page.readUInt16LE(header.lower); slot += 2) {
    const at = header.length + page.readUInt16LE(header.length + slot)
    const nodeFlags = page.readUInt16LE(at + node.flags)
    if ((flags & isBranch) !== 0) {
      children.push(page.readUInt16LE(at) + page.readUInt16LE(at + node.high) * 2 ** 16 + nodeFlags * 2 ** 32)
    } else if ((nodeFlags & isLarge) !== 0) {
      const large = at + node.length + page.readUInt16LE(at + node.keySize)
      const end = page.readBigUInt64LE(large) + page.readBigUInt64LE(large + largePages)
      if (end * BigInt(page.length) > BigInt(size)) return undefined
    }
  }
  return children
}

/** Follows all pages from the roots. Returns whether each is within the first `size` bytes. */
const hasAllPages = (file: number, { pageSize, lastPage, roots }: Snapshot, size: number): boolean => {
  const waiting = [...roots]
  let followed = 0
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    followed += 1
    const page = followed > lastPage ? undefined : readBytes(file, pageSize, number * pageSize)
    const children = page && childrenOf(page, size)
    if (children === undefined) return false
    waiting.push(...children)
  }
  return true
}

const isCut = (file: number): boolean => {
  for (let round = 0, last: bigint | undefined; round < roundsMax; round += 1) {
    const snapshot = readSnapshot(file)
    if (snapshot === undefined) return true
    const { size } = fstatSync(file)
    if (hasAllPages(file, snapshot, size)) return false
    if (last === snapshot.transactionId) return true
    last = snapshot.transactionId
  }
  return false
}

/**
 * Whether a data file with valid headers lacks used pages or has garbage in their place. Reading such a page would end the process.
 * Follows all pages but those of large values from the roots, which reads about 5 MB per 100,000 columns.
 */
const lacksPages = (dataPath: string): boolean => {
  const file = openSync(dataPath, 'r')
  try {
    return isCut(file)
  } catch (cause) {
    // Node's own codes: a page refers to a place outside itself, or to an impossible page.
    if (String(codeOf(cause)).startsWith('ERR_')) return true
    throw cause
  } finally {
    closeSync(file)
  }
}

const metaPageFlag = 0x08
const magic = 0xbeefc0de
const dataVersion = 2

type Meta = { readonly transactionId: bigint; readonly pageSize: number; readonly roots: readonly bigint[] }

const readMeta = (file: number, offset: number): Meta => {
  const bytes = Buffer.alloc(meta.length)
  const known =
    readSync(file, bytes, 0, meta.length, offset) === meta.length &&
    (bytes.readUInt16LE(header.flags) & metaPageFlag) !== 0 &&
    bytes.readUInt32LE(meta.magic) === magic &&
    (bytes.readUInt32LE(meta.version) & 0xffff) === dataVersion
  if (!known) throw new Error('the data file has no LMDB header, or one of another version')
  return {
    transactionId: bytes.readBigUInt64LE(meta.transactionId),
    pageSize: bytes.readUInt32LE(meta.pageSize),
    roots: [meta.freeRoot, meta.mainRoot].map((at) => bytes.readBigUInt64LE(at)).filter((page) => page !== noPage),
  }
}

const checkDataFile = (file: number): void => {
  const first = readMeta(file, 0)
  const second = readMeta(file, first.pageSize)
  const { pageSize, roots } = first.transactionId > second.transactionId ? first : second
  // Read after the roots, because another process may add pages while this one reads. LMDB writes pages before the roots that refer to them.
  // Does not check the last page, because LMDB leaves a file shorter if its last pages are free.
  const { size } = fstatSync(file)
  if (roots.some((page) => (page + 1n) * BigInt(pageSize) > BigInt(size))) throw new Error('the data file has been cut short')
}

const checkOnce = (dataPath: string): void => {
  const file = openSync(dataPath, 'r')
  try {
    checkDataFile(file)
  } finally {
    closeSync(file)
  }
  if (lacksPages(dataPath)) throw new Error('the data file has been cut short, or contains garbage')
}

/** Pauses this thread between attempts: another process may just be writing the headers or a page. */
const checkSeveralTimes = (dataPath: string): void => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      checkOnce(dataPath)
      return
    } catch (cause) {
      if (attempt === roundsMax) throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 10)
    }
  }
}

/**
 * Creates the folder of an LMDB environment if absent, for its owner only, or also for its group. Throws unless the data file looks
 * complete, or is absent or empty with enough space for a new one. Opening any other file crashes the native library. Throws AppError
 * if another container has it open with the same process id.
 */
export const prepareLmdbFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: folderModeAt(path) })
  const dataPath = join(path, 'data.mdb')
  if (statSync(join(path, 'lock.mdb'), { throwIfNoEntry: false })?.isDirectory())
    throw new Error('there is a folder named lock.mdb')
  refuseSameProcessId(path)
  const size = statSync(dataPath, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) checkRoomForLmdb(path)
  else checkSeveralTimes(dataPath)
}
