/** Reads a stream by number of bytes. Buffers at most the requested bytes and one chunk of the stream. */
export type ByteSource = {
  /** Exactly this many bytes; undefined when the stream ends before. */
  take(bytes: number): Promise<Buffer | undefined>
}

/** Reads a stream from its beginning. Errors of the stream are passed on. */
export const createByteSource = (stream: AsyncIterable<Buffer>): ByteSource => {
  const pieces = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    take: async (bytes) => {
      const parts = [rest]
      let held = rest.length
      while (held < bytes) {
        const { done, value } = await pieces.next()
        if (done) {
          rest = Buffer.concat(parts)
          return undefined
        }
        parts.push(value)
        held += value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts)
      rest = all.subarray(bytes)
      return all.subarray(0, bytes)
    },
  }
}
