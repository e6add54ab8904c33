import type { Random } from '../random.ts'
import { oddText, oddValue } from './odd-values.ts'

/** Changes some characters: cuts, duplicates, swaps, inserts odd ones. */
export const mutateText = (random: Random, text: string): string => {
  let mutated = text
  for (let times = random.int(1, 4); times > 0; times -= 1) {
    const at = random.int(0, mutated.length)
    const end = Math.min(mutated.length, at + random.int(0, 30))
    const replacements = [
      '',
      mutated.slice(at, end).repeat(random.int(2, 20)),
      oddText(random),
      String.fromCharCode(random.int(0, 255)),
    ]
    mutated = mutated.slice(0, at) + random.pick(replacements) + mutated.slice(end)
  }
  return mutated
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces a value within `value` by an odd one, adds an unknown key, or removes a key. */
export const mutateValue = (random: Random, value: unknown): unknown => {
  if (isRecord(value) && Object.keys(value).length > 0 && random.chance(0.8)) {
    const key = random.pick(Object.keys(value))
    const { [key]: inner, ...others } = value
    if (random.chance(0.15)) return others
    if (random.chance(0.15)) return { ...value, [oddText(random)]: oddValue(random) }
    return { ...value, [key]: mutateValue(random, inner) }
  }
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.int(0, value.length - 1)
    return value.map((inner, i) => (i === at ? mutateValue(random, inner) : inner))
  }
  return oddValue(random)
}

const arraysOf = ['{}', '0', '"\\ud83d"', 'null', '[]', '"😀 escaped"', '{"cx":0,"cz":0}', '1e999'] as const

/** JSON of up to a mebibyte with one oversized value, or too many keys. */
export const blowUp = (random: Random, value: unknown): string => {
  const bytes = random.int(20_000, 1_048_000)
  const element = random.pick(arraysOf)
  const many = (piece: string) => Array.from({ length: Math.floor(bytes / (piece.length + 1)) }, () => piece).join(',')
  if (!isRecord(value) || random.chance(0.2)) return `[${many(element)}]`
  const known = Object.entries(value)
  if (known.length === 0 || random.chance(0.4)) {
    const keys = Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"k${i.toString(36)}":0`)
    return `${JSON.stringify(value).slice(0, -1)}${known.length === 0 ? '' : ','}${keys.join(',')}}`
  }
  const grown = random.pick(known)[0]
  const huge = random.chance(0.3)
    ? JSON.stringify(random.pick(['x', 'é', '\0', '\ud83d']).repeat(bytes / 6))
    : `[${many(element)}]`
  return `{${known.map(([key, inner]) => `${JSON.stringify(key)}:${key === grown ? huge : JSON.stringify(inner)}`).join(',')}}`
}

/** Flips, cuts, duplicates and inserts bytes. */
export const mutateBytes = (random: Random, bytes: Buffer): Buffer => {
  const mutated = Buffer.from(bytes)
  for (let times = random.int(1, 4); times > 0 && mutated.length > 0; times -= 1)
    mutated[random.int(0, mutated.length - 1)] = random.int(0, 255)
  const at = random.int(0, mutated.length)
  if (random.chance(0.2)) return mutated.subarray(0, at)
  if (random.chance(0.2))
    return Buffer.concat([mutated.subarray(0, at), Buffer.alloc(random.int(1, 64), random.int(0, 255)), mutated.subarray(at)])
  if (random.chance(0.1)) return Buffer.concat(Array.from({ length: random.int(2, 50) }, () => mutated))
  return mutated
}
