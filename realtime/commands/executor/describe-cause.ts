import { inspect } from 'node:util'

/** The ways in which a string stands inside a text that shows it: as it is, and escaped as JSON or as `inspect` does. */
const writtenForms = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), inspect(text).slice(1, -1)]

/** An error with its stack and causes as text for the log, in which each of `secrets` is blanked, escaped once or twice as well. */
export const describeCause = (error: unknown, secrets: readonly string[]): string => {
  const forms = new Set(secrets.flatMap(writtenForms).flatMap(writtenForms))
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  return longestFirst.reduce((text, form) => text.replaceAll(form, '[secret]'), inspect(error, { depth: 6 }))
}
