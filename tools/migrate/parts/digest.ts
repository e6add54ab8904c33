import { createHash } from 'node:crypto'

/** A count, and the SHA-256 of all items as hexadecimal digits. */
export type Digest = { readonly count: number; readonly sha256: string }

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** JSON that is the same for equal values, whatever the order of their keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortKeys) ?? 'null'

/** The SHA-256 of bytes or text, as hexadecimal digits. */
export const sha256Of = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

/** Computes one checksum of many records in the order of their ids, without keeping them. */
export type DigestMaker = {
  /** Adds a record. `counts` says whether the count includes it, and is true when absent. */
  add(id: string, content: Uint8Array | string, counts?: boolean): void
  end(): Digest
}

export const createDigest = (): DigestMaker => {
  const hash = createHash('sha256')
  let count = 0
  const addPart = (part: Uint8Array | string): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    hash.update(length).update(bytes)
  }
  return {
    add: (id, content, counts = true) => {
      addPart(id)
      addPart(content)
      if (counts) count += 1
    },
    end: () => ({ count, sha256: hash.digest('hex') }),
  }
}
