import { normalizeEmail } from '../../../shared/domain/accounts/email.ts'
import { durationForm, findDurationMs, isTooLong } from '../../../shared/domain/sanctions/duration.ts'
import { tameText } from '../../../shared/kernel/tame-text.ts'
import type { Argument, ArgumentValues, Command } from '../command.ts'
import { splitWords, type Word } from './parse-command.ts'

const pattern = /^(~?)([+-]?(?:\d+\.?\d*|\.\d+))?$/

/** Whether a text is a coordinate: a number, or `~` for where one is, perhaps with a number that is added. */
const isCoordinate = (text: string): boolean => text !== '' && pattern.test(text)

/** What a coordinate stands for, seen from `self`. */
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
  if (items.includes('')) return fault(argument, 'must be names with commas between them')
  return { ok: true, value: [...new Set(items)] }
}

/** What was written for an argument as its kind says, or a message that names the argument and the rule, never the value. */
const parseArgument = (argument: Argument, written: string): ParsedArgument => {
  if (written.trim() === '') return fault(argument, 'must not be empty')
  switch (argument.kind) {
    case 'number':
      return decimal.test(written) ? { ok: true, value: Number(written) } : fault(argument, 'must be a number')
    case 'coordinate':
      return isCoordinate(written)
        ? { ok: true, value: written }
        : fault(argument, 'must be a number, or ~ and a number from where you are')
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
      // Others may be shown it.
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

const usageOfArgument = ({ name, optional }: Argument): string => (optional === true ? `[${name}]` : `<${name}>`)

/** How a command is written, made from its declaration: `/kick <player> [reason]`; several forms are joined by ` or `. */
export const usageOf = ({ name, forms }: Pick<Command, 'name' | 'forms'>): string =>
  forms.map((form) => [`/${name}`, ...form.map(usageOfArgument)].join(' ')).join(' or ')
