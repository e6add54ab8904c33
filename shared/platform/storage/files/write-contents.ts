import { writeFile, writeFileSync, writev } from 'node:fs'
import { promisify } from 'node:util'

/** Text, or bytes, or bytes in parts. */
export type FileContents = string | Uint8Array | readonly Uint8Array[]

/** So much, in bytes or letters, goes to the kernel's memory synchronously: 0.2 ms of bytes, two of text in other scripts. */
const shortMax = 1024 * 1024

const writeLong = promisify(writeFile)
const writeSome = promisify(writev)

/** Parts that the kernel takes in one call of any system. */
const partsMax = 1024

/** Writes parts one after another without joining them; a disk that takes only some of them is asked again, and then says why. */
const writeParts = async (fd: number, parts: readonly Uint8Array[]): Promise<void> => {
  let rest = parts.filter((part) => part.length > 0)
  while (rest.length > 0) {
    let { bytesWritten } = await writeSome(fd, rest.slice(0, partsMax))
    let whole = 0
    for (let part = rest[0]; part !== undefined && bytesWritten >= part.length; part = rest[whole]) {
      bytesWritten -= part.length
      whole += 1
    }
    const [cut, ...others] = rest.slice(whole)
    rest = cut === undefined ? [] : [cut.subarray(bytesWritten), ...others]
  }
}

const isParts = (contents: FileContents): contents is readonly Uint8Array[] => Array.isArray(contents)

/** Writes `contents` to an open file, long ones beside the event loop. */
export const writeContents = async (fd: number, contents: FileContents): Promise<void> => {
  if (isParts(contents)) {
    const length = contents.reduce((sum, part) => sum + part.length, 0)
    if (length <= shortMax) writeFileSync(fd, Buffer.concat(contents))
    else await writeParts(fd, contents)
  } else if (contents.length <= shortMax) writeFileSync(fd, contents)
  else await writeLong(fd, contents, 'utf8')
}
