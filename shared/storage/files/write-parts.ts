import { writev } from 'node:fs'
import { promisify } from 'node:util'

const writeSome = promisify(writev)

/** Parts that the kernel takes in one call of any system. */
const partsMax = 1024

/** Writes parts one after another without joining them; a disk that takes only some of them is asked again, and then says why. */
export const writeParts = async (fd: number, parts: readonly Uint8Array[]): Promise<void> => {
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
