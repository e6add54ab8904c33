import type { Pause } from './users-file-split.ts'

/** How a file differs from known parts: the number of equal parts at its start and at its end, and the bytes in between. */
export type UsersDifference = { readonly sameStart: number; readonly sameEnd: number; readonly bytes: Buffer }

export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** Bytes read in one call. */
const blockBytes = 1024 * 1024

export const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/** Whether `bytes` equal the joined `parts`. */
export const isJoined = (parts: readonly Buffer[], bytes: Buffer): boolean => {
  if (lengthOf(parts) !== bytes.length) return false
  let offset = 0
  return parts.every((part) => {
    offset += part.length
    return bytes.subarray(offset - part.length, offset).equals(part)
  })
}

/** The number of parts from `first` on that make up one block; at least one. */
const countBlock = (parts: readonly Buffer[], first: number): number => {
  let [count, length] = [0, 0]
  while (first + count < parts.length && (count === 0 || length < blockBytes)) {
    length += parts[first + count]?.length ?? 0
    count += 1
  }
  return count
}

const countSame = (parts: readonly Buffer[], found: Buffer): number => {
  let [count, offset] = [0, 0]
  for (const part of parts) {
    if (!found.subarray(offset, offset + part.length).equals(part)) break
    offset += part.length
    count += 1
  }
  return count
}

/** How many of `parts` a file of `size` bytes begins with. */
const findSameStart = async (parts: readonly Buffer[], size: number, read: ReadBytes, pause: Pause): Promise<number> => {
  let [same, offset] = [0, 0]
  while (same < parts.length) {
    const block = parts.slice(same, same + countBlock(parts, same))
    const length = lengthOf(block)
    const count = countSame(block, await read(offset, Math.min(length, size - offset)))
    same += count
    if (count < block.length) break
    offset += length
    await pause()
  }
  return same
}

/** How a file of `size` bytes differs from `parts`; undefined if it does not. `read` reads the file; `pause` is called between blocks. */
export const findDifference = async (
  parts: readonly Buffer[],
  size: number,
  read: ReadBytes,
  pause: Pause,
): Promise<UsersDifference | undefined> => {
  const sameStart = await findSameStart(parts, size, read, pause)
  const start = lengthOf(parts.slice(0, sameStart))
  if (sameStart === parts.length && start === size) return undefined
  let [sameEnd, end] = [0, size]
  for (let part = parts.at(-1); part !== undefined; part = parts[parts.length - 1 - sameEnd]) {
    if (sameStart + sameEnd >= parts.length || end - part.length < start) break
    if (!(await read(end - part.length, part.length)).equals(part)) break
    sameEnd += 1
    end -= part.length
    await pause()
  }
  return { sameStart, sameEnd, bytes: Buffer.from(await read(start, end - start)) }
}
