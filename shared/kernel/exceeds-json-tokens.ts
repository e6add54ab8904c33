const quote = 0x22
const backslash = 0x5c
const structure = new Set([...'{[:,'].map((sign) => sign.charCodeAt(0)))
const isStructure = Uint8Array.from({ length: 128 }, (_, code) => (structure.has(code) ? 1 : 0))

/** The index after the end of a JSON string; its opening quote is before `at`. */
export const skipString = (text: string, at: number): number => {
  for (let place = at; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code === quote) return place + 1
    if (code === backslash) place += 1
  }
  return text.length
}

/**
 * Whether a JSON text has more than `max` opening brackets, colons and commas. The cost of parsing grows with them, up to fifty
 * milliseconds for a mebibyte of keys. Reads each character once (two milliseconds for a mebibyte). The JSON need not be valid.
 */
export const exceedsJsonTokens = (text: string, max: number): boolean => {
  let tokens = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    at += 1
    if (code === quote) at = skipString(text, at)
    else if (isStructure[code] === 1) {
      tokens += 1
      if (tokens > max) return true
    }
  }
  return false
}
