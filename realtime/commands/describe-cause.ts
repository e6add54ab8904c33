import { inspect } from 'node:util'

/** An error with its stack and causes as text for the log, in which every way of writing one of `secrets` is blanked. */
export const describeCause = (error: unknown, secrets: readonly string[]): string => {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), inspect(secret).slice(1, -1)])
  const longestFirst = [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  return longestFirst.reduce((text, form) => text.replaceAll(form, '[secret]'), inspect(error, { depth: 6 }))
}
