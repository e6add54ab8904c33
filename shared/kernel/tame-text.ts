/** Combining marks that a character keeps. */
const marksMax = 8

const stackedMarks = new RegExp(`(\\p{M}{${marksMax}})\\p{M}+`, 'gu')

/** What opens a change of direction, and the character that ends it: embeddings and overrides, and isolates (UAX 9). */
const popFormat = '\u202c'
const popIsolate = '\u2069'
const endOf = new Map([
  ...['\u202a', '\u202b', '\u202d', '\u202e'].map((opening) => [opening, popFormat] as const),
  ...['\u2066', '\u2067', '\u2068'].map((opening) => [opening, popIsolate] as const),
])
const isDirected = /[\u202a-\u202e\u2066-\u2069]/u

/** The places of characters that open a change of direction which nothing ends, and of ends of none. */
const findUnpaired = (characters: readonly string[]): ReadonlySet<number> => {
  const unpaired = new Set<number>()
  const open: { readonly at: number; readonly end: string }[] = []
  for (const [at, character] of characters.entries()) {
    const end = endOf.get(character)
    if (end !== undefined) {
      open.push({ at, end })
      unpaired.add(at)
    } else if (character === popFormat || character === popIsolate) {
      const opened = open.at(-1)
      if (opened?.end === character) {
        unpaired.delete(opened.at)
        open.pop()
      } else unpaired.add(at)
    }
  }
  return unpaired
}

/** The text with at most eight combining marks on a character. */
export const limitMarks = (text: string): string => text.replace(stackedMarks, '$1')

/**
 * A line that changes nothing around it: without overrides, embeddings and isolates of the text direction that are not closed within it, and
 * with at most eight combining marks on a character. What is left reads as it was written.
 */
export const tameText = (text: string): string => {
  const line = limitMarks(text)
  if (!isDirected.test(line)) return line
  const characters = [...line]
  const unpaired = findUnpaired(characters)
  return characters.filter((_, at) => !unpaired.has(at)).join('')
}
