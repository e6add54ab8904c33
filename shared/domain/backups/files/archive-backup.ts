import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const blockBytes = 512
const nameBytes = 100
const octalEnd = 8 ** 11

const padOf = (bytes: number): number => (blockBytes - (bytes % blockBytes)) % blockBytes

/** A size as POSIX octal; from 8 GiB on as the base-256 number that GNU tar, bsdtar and Node packages read. */
const writeSize = (header: Buffer, size: number): void => {
  if (size < octalEnd) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(size), 128)
  }
}

/** The header of a regular file in the ustar format (POSIX.1-1988). `name` is relative to `prefix`. */
const createHeader = (prefix: string, name: string, size: number, modifiedMs: number): Buffer => {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`the path ${name} is too long for an archive`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write('0000600\0', 100, 'latin1')
  header.write('0000000\0', 108, 'latin1')
  header.write('0000000\0', 116, 'latin1')
  writeSize(header, size)
  header.write(
    `${Math.floor(modifiedMs / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
    'latin1',
  )
  header.write('        0', 148, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  header.write(prefix, 345)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Yields exactly `size` bytes of a file, whose header already has its size. */
const readWhole = async function* (path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    let left = size
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, 262_144)))
      if (bytesRead === 0) throw new Error('a file of the backup became shorter while it was read')
      left -= bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The files below a folder as a tar archive with one top folder, `prefix`. Locks are left out. */
export const archiveFolder = async function* (folder: string, prefix: string): AsyncGenerator<Uint8Array> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile() && one.name !== 'lock.mdb').map((one) => join(one.parentPath, one.name))
  for (const path of paths.sort()) {
    const { size, mtimeMs } = await stat(path)
    yield createHeader(prefix, relative(folder, path).split(sep).join('/'), size, mtimeMs)
    yield* readWhole(path, size)
    yield Buffer.alloc(padOf(size))
  }
  yield Buffer.alloc(2 * blockBytes)
}
