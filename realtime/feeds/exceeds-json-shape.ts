import { skipString } from '../../shared/kernel/exceeds-json-tokens.ts'

const [quote = 0, colon = 0] = [...'":'].map((sign) => sign.charCodeAt(0))
const openings = new Set([...'{['].map((sign) => sign.charCodeAt(0)))
const closings = new Set([...'}]'].map((sign) => sign.charCodeAt(0)))

/**
 * Whether a JSON text is nested deeper than `depthMax` or has an object with more than `keysMax` keys, which are slow to parse.
 * Reads each character once. The text does not need to be valid JSON.
 */
export const exceedsJsonShape = (text: string, depthMax: number, keysMax: number): boolean => {
  /** The number of keys of each open object, outermost first. 0 for arrays. */
  const keys: number[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    at += 1
    if (code === quote) at = skipString(text, at)
    else if (code === colon) {
      const known = (keys.pop() ?? 0) + 1
      if (known > keysMax) return true
      keys.push(known)
    } else if (openings.has(code)) {
      if (keys.push(0) > depthMax) return true
    } else if (closings.has(code)) keys.pop()
  }
  return false
}
