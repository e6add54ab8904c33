/** The maximum number of combining marks on a character. */
const marksMax = 8

const stackedMarks = new RegExp(`(\\p{M}{${marksMax}})\\p{M}+`, 'gu')

/** Characters that start a change of direction (embeddings, overrides and isolates, UAX 9), and the character at its end. */
const popFormat = '\u202c'
const popIsolate = '\u2069'
const endOf = new Map([
  ...['\u202a', '\u202b', '\u202d', '\u202e'].map((opening) => [opening, popFormat] as const),
  ...['\u2066', '\u2067', '\u2068'].map((opening) => [opening, popIsolate] as const),
])
const isDirected = /[\u202a-\u202e\u2066-\u2069]/u

/** The indexes of direction changes without an end, and of ends without a start. */
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
 * Makes a line safe to print within other text. Removes overrides, embeddings and isolates of the text direction without an end, and
 * limits combining marks to eight per character. The rest is unchanged.
 */
export const tameText = (text: string): string => {
  const line = limitMarks(text)
  if (!isDirected.test(line)) return line
  const characters = [...line]
  const unpaired = findUnpaired(characters)
  return characters.filter((_, at) => !unpaired.has(at)).join('')
}
