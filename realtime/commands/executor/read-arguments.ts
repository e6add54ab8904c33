import type { ArgumentValues } from '../command.ts'

const misread = (name: string): TypeError => new TypeError(`The command's declaration has no such argument of this kind: ${name}`)

/** The text of an argument, or undefined if it was left out. Throws TypeError if it has another kind. */
export const findText = (values: ArgumentValues, name: string): string | undefined => {
  const value = values[name]
  if (value === undefined || typeof value === 'string') return value
  throw misread(name)
}

/** The text of a required argument. */
export const getText = (values: ArgumentValues, name: string): string => {
  const value = findText(values, name)
  if (value === undefined) throw misread(name)
  return value
}

/** The number of an argument, or undefined if it was left out. Durations are in milliseconds. */
export const findNumber = (values: ArgumentValues, name: string): number | undefined => {
  const value = values[name]
  if (value === undefined || typeof value === 'number') return value
  throw misread(name)
}

/** The items of a list argument, or undefined if it was left out. */
export const findList = (values: ArgumentValues, name: string): readonly string[] | undefined => {
  const value = values[name]
  if (value === undefined || typeof value === 'object') return value
  throw misread(name)
}

/** The items of a required list argument. */
export const getList = (values: ArgumentValues, name: string): readonly string[] => {
  const value = findList(values, name)
  if (value === undefined) throw misread(name)
  return value
}
