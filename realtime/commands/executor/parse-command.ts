/** The longest command in Unicode code points, including the slash. */
const commandCharactersMax = 512

/** The name of a command in lower case, and the unparsed text after it. */
type CommandText = { readonly ok: true; readonly name: string; readonly rest: string }

/** A parse error with a message for people. */
type ParseFault = { readonly ok: false; readonly message: string }

/** Control characters, line separators and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]/u

const isTooLong = (text: string): boolean => text.length > 2 * commandCharactersMax || [...text].length > commandCharactersMax

/** Splits `/name rest`. Permissions can then be checked before the arguments are parsed. Never throws. */
export const parseCommandText = (text: string): CommandText | ParseFault => {
  if (isTooLong(text)) return { ok: false, message: `A command has at most ${commandCharactersMax} characters.` }
  if (unprintable.test(text)) return { ok: false, message: 'A command must not contain control characters.' }
  const match = /^\s*\/(\S+)(.*)$/u.exec(text)
  if (match === null) return { ok: false, message: 'A command begins with a slash and a name, such as /help.' }
  const [, name = '', rest = ''] = match
  return { ok: true, name: name.toLowerCase(), rest }
}

/** A word of a line: its value, and the position of its written form. */
export type Word = { readonly value: string; readonly start: number; readonly end: number }

type SplitResult = { readonly ok: true; readonly words: readonly Word[] } | { readonly ok: false; readonly message: string }

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/u.test(character)

/** Reads a quoted word from `start`. Returns undefined if the closing quote is missing. */
const readQuoted = (line: string, start: number): Word | undefined => {
  let value = ''
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (character === '"') return { value, start, end: at + 1 }
    if (character === '\\') at += 1
    value += line.charAt(at)
  }
  return undefined
}

const readPlain = (line: string, start: number): Word => {
  let end = start
  while (end < line.length && !isSpace(line[end])) end += 1
  return { value: line.slice(start, end), start, end }
}

/**
 * Splits a line at white space. A word that begins with `"` ends at the next `"`; in it a backslash escapes the next character.
 * Elsewhere quotes and backslashes are plain characters. Never throws.
 */
export const splitWords = (line: string): SplitResult => {
  const words: Word[] = []
  let at = 0
  while (at < line.length) {
    if (isSpace(line[at])) {
      at += 1
      continue
    }
    const word = line[at] === '"' ? readQuoted(line, at) : readPlain(line, at)
    if (word === undefined)
      return { ok: false, message: 'A quote is not closed. End it with ", and write \\" for a quote inside.' }
    if (word.end < line.length && !isSpace(line[word.end]))
      return { ok: false, message: 'A closing quote needs a space after it.' }
    words.push(word)
    at = word.end
  }
  return { ok: true, words }
}
