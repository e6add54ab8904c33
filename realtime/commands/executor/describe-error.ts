import { inspect } from 'node:util'
import type { AppError, Fault } from '../../../shared/kernel/errors.ts'
import type { ArgumentValues } from '../command.ts'

/**
 * Describes a JSON Pointer into the input of a service in terms of the typed arguments. An item of a list is described by its
 * value.
 */
const describePointer = (pointer: string, values: ArgumentValues): string => {
  const [name = '', index = ''] = pointer.slice(1).split('/')
  const value = values[name]
  const item = typeof value === 'object' ? value[Number(index)] : undefined
  return item === undefined ? `The argument <${name}>` : `"${item}"`
}

const describeFault = ({ pointer, message }: Fault, values: ArgumentValues): string =>
  pointer === undefined ? message : `${describePointer(pointer, values)} ${message}.`

/** The public part of an error as text: its detail, then one line for each fault. */
export const describeAppError = ({ publicDetail, errors = [] }: AppError, values: ArgumentValues): string =>
  errors.length === 0 ? publicDetail : errors.map((fault) => describeFault(fault, values)).join('\n')

/** The forms in which a string can appear in a text: as is, and escaped by JSON or `inspect`. */
const writtenForms = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), inspect(text).slice(1, -1)]

/**
 * An error with its stack and causes as text for the log. Every `secrets` value is blanked, also if it was escaped once or twice.
 */
export const describeCause = (error: unknown, secrets: readonly string[]): string => {
  const forms = new Set(secrets.flatMap(writtenForms).flatMap(writtenForms))
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  return longestFirst.reduce((text, form) => text.replaceAll(form, '[secret]'), inspect(error, { depth: 6 }))
}
