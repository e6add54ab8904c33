import { distance } from 'fastest-levenshtein'

const mostSlips = 3

const sortLetters = (name: string): string => [...name].sort().join('')

/** The number of letters that differ; undefined if they are too many for a typing error. */
const countSlips = (written: string, name: string): number | undefined => {
  const edits = distance(written, name)
  // Two swapped letters count as two.
  const isSwap = edits === 2 && sortLetters(written) === sortLetters(name)
  const isNear = isSwap || edits <= Math.min(mostSlips, Math.floor(Math.max(written.length, name.length) / 3))
  return isNear ? edits : undefined
}

/**
 * The name that was probably meant. At most a third of the letters may differ, and at most three. For names such as `rbac:setgroup` the
 * last part is enough.
 */
export const findNearName = (written: string, names: readonly string[]): string | undefined => {
  let nearest: { readonly name: string; readonly slips: number } | undefined
  for (const name of names)
    for (const form of new Set([name, name.split(':').at(-1) ?? name])) {
      const slips = countSlips(written, form)
      if (slips !== undefined && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY)) nearest = { name, slips }
    }
  return nearest?.name
}
