import type { Input, Parts } from './fuzz-kind.ts'
import type { Target } from './target.ts'

const triesMax = 60

const without = (parts: Parts, name: string): Parts => Object.fromEntries(Object.entries(parts).filter(([key]) => key !== name))

/** Smaller variants of `parts`: one part removed, or cut in half. */
const lessThan = (parts: Parts): readonly Parts[] =>
  Object.entries(parts).flatMap(([name, text]) => {
    if (!name.startsWith('?')) return []
    const half = Math.floor(text.length / 2)
    const cuts = half === 0 ? [] : [text.slice(0, half), text.slice(half), text.slice(0, -1), text.slice(1)]
    return [without(parts, name), ...cuts.map((cut) => ({ ...parts, [name]: cut }))]
  })

/** Returns the smallest variant of an input that still has its fault, within a limited number of tries. */
export const makeSmaller = async ({ kind, parts }: Input, target: Target): Promise<Parts> => {
  let least = parts
  let tries = 0
  const isFaulty = async (candidate: Parts): Promise<boolean> => {
    tries += 1
    return (await kind.send(candidate, target).catch(() => ({ fault: undefined }))).fault !== undefined
  }
  const findLess = async (): Promise<Parts | undefined> => {
    for (const candidate of lessThan(least)) if (tries < triesMax && (await isFaulty(candidate))) return candidate
    return undefined
  }
  for (let less = await findLess(); less !== undefined; less = await findLess()) least = less
  return least
}
