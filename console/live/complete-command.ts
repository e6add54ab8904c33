import { words } from '../words.ts'
import { type Known, kindOf } from './argument-kinds.ts'
import { findCommand, type KnownCommand, listForms, quote, readLine, unquote } from './read-command.ts'

/** Arguments that take the rest of the line. */
const restNames: ReadonlySet<string> = new Set(['text', 'reason'])

/** Whether the words can begin the form: not too many, and each valid for its argument. */
const fits = (form: readonly string[], values: readonly string[]): boolean =>
  values.every((value, at) => {
    const name = form[at]
    if (name === undefined) return restNames.has(form.at(-1) ?? '')
    return kindOf(name).fault?.(value) === undefined
  })

/** Completions as whole lines: commands by name, then values of the last argument. */
export const completeCommand = (line: string, commands: readonly KnownCommand[], known: Known): readonly string[] => {
  if (!line.startsWith('/')) return []
  const { words: before, last, head } = readLine(line)
  if (before.length === 0)
    return commands.map(({ name }) => `/${name.replace(/^\//, '')}`).filter((name) => name.startsWith(last.toLowerCase()))
  const command = findCommand(line, commands)
  if (command === undefined) return []
  const values = before.slice(1).map(unquote)
  const typed = unquote(last)
  const offered = listForms(command)
    .filter((form) => fits(form, values))
    .flatMap((form) => {
      const name = form[values.length]
      return name === undefined ? [] : (kindOf(name).offer?.(known, typed) ?? [])
    })
  return [...new Set(offered)]
    .filter((value) => value !== typed && value.toLowerCase().startsWith(typed.toLowerCase()))
    .map((value) => `${head}${quote(value)}`)
}

/** The fault of a line by the usage of its command; undefined if the server may accept it. The last word may be incomplete. */
export const findCommandFault = (line: string, commands: readonly KnownCommand[]): string | undefined => {
  if (!line.startsWith('/')) return undefined
  const { words: before } = readLine(line)
  if (before.length === 0) return undefined
  const command = findCommand(line, commands)
  if (command === undefined) return words.live.faults.unknown
  const values = before.slice(1).map(unquote)
  const forms = listForms(command)
  if (forms.some((form) => fits(form, values))) return undefined
  for (const form of forms)
    for (const [at, name] of form.entries()) {
      const value = values[at]
      const fault = value === undefined ? undefined : kindOf(name).fault?.(value)
      if (fault !== undefined) return words.live.faults.argument(name, fault)
    }
  return words.live.faults.tooMany
}
