/** Longest command, in characters (Unicode code points), the slash included. */
export const commandCharactersMax = 512

/** A command's name in lower case, and the text behind it, not yet taken apart. */
export type CommandText = { readonly ok: true; readonly name: string; readonly rest: string }

/** What cannot be read, with a message for a person. */
export type ParseFault = { readonly ok: false; readonly message: string }

/** Control characters, line separators and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]/u

const isTooLong = (text: string): boolean => text.length > 2 * commandCharactersMax || [...text].length > commandCharactersMax

/** Finds the name of a command in `/name rest`, so that who may run it can be decided before its arguments are looked at. Never throws. */
export const parseCommandText = (text: string): CommandText | ParseFault => {
  if (isTooLong(text)) return { ok: false, message: `A command holds ${commandCharactersMax} characters at most.` }
  if (unprintable.test(text)) return { ok: false, message: 'A command holds no control characters.' }
  const match = /^\s*\/(\S+)(.*)$/u.exec(text)
  if (match === null) return { ok: false, message: 'A command begins with a slash and a name, such as /help.' }
  const [, name = '', rest = ''] = match
  return { ok: true, name: name.toLowerCase(), rest }
}
