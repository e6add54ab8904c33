import { normalizeEmail } from '../../../shared/accounts/email.ts'
import type { Argument } from '../command.ts'
import { isCoordinate } from './coordinate.ts'

export type ParsedArgument =
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
export const parseArgument = (argument: Argument, written: string): ParsedArgument => {
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
    case 'command':
      return { ok: true, value: written.toLowerCase().replace(/^\//, '') }
    default:
      return { ok: true, value: written }
  }
}
