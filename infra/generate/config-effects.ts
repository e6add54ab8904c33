import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../../shared/configs/catalogue.ts'
import type { ConfigEffect, ConfigFile } from '../../shared/configs/config-file.ts'
import type { JsonSchema } from '../../shared/configs/config-schemas.ts'
import type { ConfigName, ConfigValues } from '../../shared/configs/config-values.ts'
import type { ConfigKey, Step } from './config-keys.ts'
import { createSamples } from './config-samples.ts'

/** What a change of a key takes to be in force; of a list or a mapping, which may differ, that of one thing more and of one less. */
export type KeyEffect = ConfigEffect | { readonly added: ConfigEffect; readonly takenAway: ConfigEffect }

/** By what they hold, not by who made them. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(structuredClone(one), structuredClone(other))

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null

const find = (value: unknown, parts: readonly string[]): unknown =>
  parts.reduce<unknown>(
    (here, part) => (isCollection(here) ? Object.entries(here).find(([key]) => key === part)?.[1] : undefined),
    value,
  )

const replace = (value: unknown, [part, ...rest]: readonly string[], next: unknown): unknown => {
  if (part === undefined) return next
  const inner = replace(find(value, [part]), rest, next)
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === part ? inner : item))
  return { ...(isCollection(value) ? value : {}), [part]: inner }
}

/** The way to a key in a value whose lists and mappings hold something. */
const partsOf = (value: unknown, steps: readonly Step[]): string[] => {
  const parts: string[] = []
  for (const step of steps) {
    const here = find(value, parts)
    parts.push(step.kind === 'key' ? step.key : (Object.keys(isCollection(here) ? here : {})[0] ?? '0'))
  }
  return parts
}

const pointerOf = (parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Tries it: a reload with the one value in force and the other in the file. */
const tryChange = <T>(file: ConfigFile<T>, parts: readonly string[], [from, to]: readonly [unknown, unknown]): ConfigEffect => {
  const [inForce, next] = [file.parse(from), file.parse(to)]
  if (!inForce.ok || !next.ok)
    throw new Error(`The samples for ${pointerOf(parts)} are not valid: ${JSON.stringify([inForce, next])}`)
  if (file.isNote(pointerOf(parts))) return 'now'
  const after = file.afterReload(inForce.value, next.value)
  return isSame(find(after, parts), find(next.value, parts)) ? 'reload' : 'restart'
}

/** What a change of each key takes, found by trying one; a key that can have one value only has the effect of its file. */
export const createEffectFinder = <N extends ConfigName>(name: N, schema: JsonSchema): ((key: ConfigKey) => KeyEffect) => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const [base] = createSamples(schema)
  return ({ steps, schema: own }) => {
    const parts = partsOf(base, steps)
    const before = find(base, parts)
    const other = createSamples(own).find((sample) => !isSame(sample, before))
    if (other === undefined) return file.effect
    const pair = [base, replace(base, parts, other)] as const
    if (own.type !== 'array' && own.patternProperties === undefined) return tryChange(file, parts, pair)
    const added = tryChange(file, parts, pair)
    const takenAway = tryChange(file, parts, [pair[1], pair[0]])
    return added === takenAway ? added : { added, takenAway }
  }
}
