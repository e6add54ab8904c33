import { skipString } from '../../shared/kernel/exceeds-json-tokens.ts'

const [quote = 0, colon = 0] = [...'":'].map((sign) => sign.charCodeAt(0))
const openings = new Set([...'{['].map((sign) => sign.charCodeAt(0)))
const closings = new Set([...'}]'].map((sign) => sign.charCodeAt(0)))

/**
 * Whether a JSON text is nested deeper than `depthMax` or has an object of more than `keysMax` keys: parsing is slowest where one object
 * has thousands. Reads each character once and needs no valid JSON: a parser reads no further than up to where the brackets match.
 */
export const exceedsJsonShape = (text: string, depthMax: number, keysMax: number): boolean => {
  /** Keys of each object that is open, the outermost first; those of lists stay 0. */
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
