import type { Interface } from 'node:readline'

/** Lines one after the other. */
export type LineReader = {
  /** Undefined at the end, and after `close`. */
  read(): Promise<string | undefined>
  close(): void
}

/** The lines of a readline interface, from the moment of the call. */
export const createLineReader = (lines: Interface): LineReader => {
  const iterator = lines[Symbol.asyncIterator]()
  let isClosed = false
  return {
    read: async () => {
      if (isClosed) return undefined
      const { done, value } = await iterator.next()
      return done === true ? undefined : value
    },
    close: () => {
      isClosed = true
      lines.close()
    },
  }
}

/** The lines of a text. */
export const createTextReader = (text: string): LineReader => {
  let left = text.split(/\r?\n/)
  return {
    read: async () => left.shift(),
    close: () => {
      left = []
    },
  }
}
