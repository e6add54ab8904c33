import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { durationForm, findDurationMs, isTooLong } from '../../../shared/domain/sanctions/duration.ts'
import { tameText } from '../../../shared/kernel/tame-text.ts'
import type { Argument, ArgumentValues, Command } from '../command.ts'
import { splitWords, type Word } from './parse-command.ts'

const pattern = /^(~?)([+-]?(?:\d+\.?\d*|\.\d+))?$/

/** Whether a text is a coordinate: a number, or `~` with an optional number, relative to the caller. */
const isCoordinate = (text: string): boolean => text !== '' && pattern.test(text)

/** The value of a coordinate. Relative coordinates count from `self`. */
export const readCoordinate = (text: string, self: number): number => {
  const [, relative, number = '0'] = pattern.exec(text) ?? []
  return (relative === '~' ? self : 0) + Number(number)
}

type ParsedArgument =
  | { readonly ok: true; readonly value: string | number | readonly string[] }
  | { readonly ok: false; readonly message: string }

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)$/

const fault = ({ name }: Argument, rule: string): ParsedArgument => ({ ok: false, message: `The argument <${name}> ${rule}.` })

const parseList = (argument: Argument, written: string): ParsedArgument => {
  const items = written.split(',').map((item) => item.trim())
  if (items.includes('')) return fault(argument, 'must be names separated by commas')
  return { ok: true, value: [...new Set(items)] }
}

/** Parses the text of an argument. A fault names the argument and the rule, but never the text. */
const parseArgument = (argument: Argument, written: string): ParsedArgument => {
  if (written.trim() === '') return fault(argument, 'must not be empty')
  switch (argument.kind) {
    case 'number':
      return decimal.test(written) ? { ok: true, value: Number(written) } : fault(argument, 'must be a number')
    case 'coordinate':
      return isCoordinate(written)
        ? { ok: true, value: written }
        : fault(argument, 'must be a number, or ~ and a number relative to your position')
    case 'list':
      return parseList(argument, written)
    case 'email': {
      const email = normalizeEmail(written)
      return email === undefined ? fault(argument, 'must be an email such as name@example.com') : { ok: true, value: email }
    }
    case 'duration': {
      const milliseconds = findDurationMs(written)
      if (milliseconds !== undefined) return { ok: true, value: milliseconds }
      return fault(argument, isTooLong(written) ? 'is too long: at most 100 years' : `must be a duration: ${durationForm}`)
    }
    case 'command':
      return { ok: true, value: written.toLowerCase().replace(/^\//, '') }
    case 'text': {
      // Other players may see this text.
      const text = tameText(written)
      return text.trim() === '' ? fault(argument, 'must not be empty') : { ok: true, value: text }
    }
    default:
      return { ok: true, value: written }
  }
}

type BoundArguments = { readonly ok: true; readonly values: ArgumentValues } | { readonly ok: false; readonly message: string }

type Form = readonly Argument[]
type Line = { readonly rest: string; readonly words: readonly Word[] }

const takesRest = (form: Form): boolean => form.at(-1)?.kind === 'text'
const countRequired = (form: Form): number => form.filter(({ optional }) => optional !== true).length
const fits = (form: Form, { words }: Line): boolean =>
  words.length >= countRequired(form) && (takesRest(form) || words.length <= form.length)

/**
 * The text of the argument at `index`: one word, or for `text` the rest of the line. Quotes are removed if the rest is one quoted
 * word.
 */
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
    ? 'There are too many arguments. Put an argument with spaces in quotes.'
    : `The argument <${missing.name}> is missing.`
}

/**
 * The values of the arguments by name, from the first form that fits. An optional argument written as `""` is left out. A fault
 * names the argument but never repeats the text, which may be a secret.
 */
export const bindArguments = ({ forms }: Pick<Command, 'forms'>, rest: string): BoundArguments => {
  const split = splitWords(rest)
  if (!split.ok) return split
  const line = { rest, words: split.words }
  const bound = forms.filter((form) => fits(form, line)).map((form) => bindForm(form, line))
  return bound.find(({ ok }) => ok) ?? bound[0] ?? { ok: false, message: describeCount(forms, line) }
}

const usageOfArgument = ({ name, optional }: Argument): string => (optional === true ? `[${name}]` : `<${name}>`)

/** The usage of a command, from its declaration: `/kick <player> [reason]`. Several forms are joined with ` or `. */
export const usageOf = ({ name, forms }: Pick<Command, 'name' | 'forms'>): string =>
  forms.map((form) => [`/${name}`, ...form.map(usageOfArgument)].join(' ')).join(' or ')
