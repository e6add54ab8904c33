import { distance } from 'fastest-levenshtein'

const mostSlips = 3

const sortLetters = (name: string): string => [...name].sort().join('')

/** How many letters are otherwise; undefined where that is no slip of the finger but another word. */
const countSlips = (written: string, name: string): number | undefined => {
  const edits = distance(written, name)
  // Two letters that changed places count as two.
  const isSwap = edits === 2 && sortLetters(written) === sortLetters(name)
  const isNear = isSwap || edits <= Math.min(mostSlips, Math.floor(Math.max(written.length, name.length) / 3))
  return isNear ? edits : undefined
}

/** The name that somebody may have meant: at most a third of the letters otherwise, and three at most; of `rbac:setgroup` its last part will do. */
export const findNearName = (written: string, names: readonly string[]): string | undefined => {
  let nearest: { readonly name: string; readonly slips: number } | undefined
  for (const name of names)
    for (const form of new Set([name, name.split(':').at(-1) ?? name])) {
      const slips = countSlips(written, form)
      if (slips !== undefined && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY)) nearest = { name, slips }
    }
  return nearest?.name
}
