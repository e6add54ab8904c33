/** A buffer of whole numbers and texts, one after another. It grows as needed. */
export const createPageText = () => {
  let bytes = Buffer.alloc(4096)
  let length = 0

  const grow = (more: number): void => {
    const larger = Buffer.alloc(Math.max(bytes.length * 2, length + more))
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }

  /** Seven bits a byte, from 0 to 2^53. */
  const putNumber = (value: number): void => {
    if (length + 8 > bytes.length) grow(8)
    let rest = value
    // Most numbers are small. Shifts work on 32 bits only.
    for (; rest > 127; rest = rest < 2 ** 31 ? rest >> 7 : Math.floor(rest / 128)) {
      bytes[length] = (rest & 127) | 128
      length += 1
    }
    bytes[length] = rest
    length += 1
  }

  return {
    putNumber,
    /** Small numbers of either sign take one byte. */
    putSigned: (value: number): void => putNumber(value < 0 ? -2 * value - 1 : 2 * value),
    putText: (text: string): void => {
      const encoded = Buffer.from(text)
      putNumber(encoded.length)
      if (length + encoded.length > bytes.length) grow(encoded.length)
      encoded.copy(bytes, length)
      length += encoded.length
    },
    length: () => length,
    /** Cuts the text back to the length `before`. */
    cutTo: (before: number): void => {
      length = before
    },
    take: (): Buffer => Buffer.from(bytes.subarray(0, length)),
  }
}

/** Reads the values of a page text in the order in which they were put. Throws RangeError at the end. */
export const readPageText = (bytes: Uint8Array) => {
  let at = 0
  const getNumber = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at]
      if (byte === undefined) throw new RangeError('The page ends in the middle of a number.')
      at += 1
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
  return {
    getNumber,
    getSigned: (): number => {
      const value = getNumber()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    getText: (): string => {
      const length = getNumber()
      if (at + length > bytes.length) throw new RangeError('The page ends in the middle of a text.')
      at += length
      return Buffer.from(bytes.subarray(at - length, at)).toString()
    },
    isAtEnd: () => at >= bytes.length,
  }
}
