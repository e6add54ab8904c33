import type { Fault } from '../../kernel/errors.ts'

/** What YAML 1.2 (section 5.1) does not take: control characters but tab and line ends, halves of surrogate pairs, U+FFFE and U+FFFF. */
const forbidden = /(?![\t\n\r\u0085])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu
const faultsMax = 100

/** The first hundred characters of a text that no YAML may hold, each with its line and column from 1. */
export const findForbiddenCharacters = (text: string): Fault[] => {
  const faults: Fault[] = []
  let [line, lineStart] = [1, 0]
  for (const match of text.matchAll(forbidden)) {
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < match.index; end = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = end + 1
    }
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const message = `the character U+${code} cannot stand in YAML: take it away, or write it as an escape in double quotes`
    faults.push({ line, column: match.index - lineStart + 1, message })
    if (faults.length >= faultsMax) break
  }
  return faults
}
