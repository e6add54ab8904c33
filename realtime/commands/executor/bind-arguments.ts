import type { Argument, ArgumentValues, Command } from '../command.ts'
import { parseArgument } from './parse-argument.ts'
import { splitWords, type Word } from './split-words.ts'

export type BoundArguments =
  | { readonly ok: true; readonly values: ArgumentValues }
  | { readonly ok: false; readonly message: string }

type Form = readonly Argument[]
type Line = { readonly rest: string; readonly words: readonly Word[] }

const takesRest = (form: Form): boolean => form.at(-1)?.kind === 'text'
const countRequired = (form: Form): number => form.filter(({ optional }) => optional !== true).length
const fits = (form: Form, { words }: Line): boolean =>
  words.length >= countRequired(form) && (takesRest(form) || words.length <= form.length)

/** What was written for the argument at `index`: one word, or for `text` all that is left, without the quotes if it is one quoted word. */
const readWritten = ({ rest, words }: Line, argument: Argument, index: number): string | undefined => {
  const word = words[index]
  if (word === undefined) return undefined
  return argument.kind === 'text' && index < words.length - 1 ? rest.slice(word.start).trimEnd() : word.value
}

const bindForm = (form: Form, line: Line): BoundArguments => {
  const values: Record<string, ArgumentValues[string]> = {}
  for (const [index, argument] of form.entries()) {
    const written = readWritten(line, argument, index)
    if (written === undefined || (written === '' && argument.optional === true)) continue
    const parsed = parseArgument(argument, written)
    if (!parsed.ok) return parsed
    values[argument.name] = parsed.value
  }
  return { ok: true, values }
}

const describeCount = (forms: readonly Form[], { words }: Line): string => {
  const form = forms.find((candidate) => countRequired(candidate) > words.length)
  const missing = form?.filter(({ optional }) => optional !== true)[words.length]
  return missing === undefined
    ? 'There are too many arguments; put one with spaces in quotes.'
    : `The argument <${missing.name}> is missing.`
}

/**
 * The values of a command's arguments by name, from the text behind its name, by the first form that fits. An optional argument
 * written `""` is left out. A fault names the argument and never repeats what was written, which may be a secret.
 */
export const bindArguments = ({ forms }: Pick<Command, 'forms'>, rest: string): BoundArguments => {
  const split = splitWords(rest)
  if (!split.ok) return split
  const line = { rest, words: split.words }
  const bound = forms.filter((form) => fits(form, line)).map((form) => bindForm(form, line))
  return bound.find(({ ok }) => ok) ?? bound[0] ?? { ok: false, message: describeCount(forms, line) }
}
