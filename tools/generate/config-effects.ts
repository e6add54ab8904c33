import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../../shared/domain/configs/catalogue.ts'
import { listChanges } from '../../shared/domain/configs/compare/list-changes.ts'
import type { JsonSchema } from '../../shared/domain/configs/config-schemas.ts'
import type { ConfigEffect, ConfigFile, ConfigName, ConfigValues } from '../../shared/domain/configs/declare/config-file.ts'
import type { ConfigKey, Step } from './config-keys.ts'
import { createSamples } from './config-samples.ts'

/** The effect that applies a change of a key. For a list or a mapping, additions and removals may differ. */
export type KeyEffect = ConfigEffect | { readonly added: ConfigEffect; readonly takenAway: ConfigEffect }

/** Compares content, not identity. */
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

/** The path to a key in a value whose lists and mappings are not empty. */
const partsOf = (value: unknown, steps: readonly Step[]): string[] => {
  const parts: string[] = []
  for (const step of steps) {
    const here = find(value, parts)
    parts.push(step.kind === 'key' ? step.key : (Object.keys(isCollection(here) ? here : {})[0] ?? '0'))
  }
  return parts
}

const strongestFirst = ['restart', 'reload', 'now'] as const

/** The result of a dry run of the second value while the first is stored and active. */
const tryChange = <T>(file: ConfigFile<T>, [from, to]: readonly [unknown, unknown]): ConfigEffect => {
  const [inForce, next] = [file.parse(from), file.parse(to)]
  if (!inForce.ok || !next.ok) throw new Error(`Samples are not valid: ${JSON.stringify([inForce, next])}`)
  const { changes } = listChanges(file, { inForce: inForce.value, stored: inForce.value, next: next.value })
  const found = strongestFirst.find((wanted) => changes.some(({ effect }) => effect === wanted))
  if (found === undefined) throw new Error(`Nothing changes from ${JSON.stringify(from)} to ${JSON.stringify(to)}`)
  return found
}

/** Finds the effect of each key by trying a change. A key with only one possible value has the effect of its file. */
export const createEffectFinder = <N extends ConfigName>(name: N, schema: JsonSchema): ((key: ConfigKey) => KeyEffect) => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const [base] = createSamples(schema)
  return ({ steps, schema: own }) => {
    const parts = partsOf(base, steps)
    const before = find(base, parts)
    const other = createSamples(own).find((sample) => !isSame(sample, before))
    if (other === undefined) return file.effect
    const pair = [base, replace(base, parts, other)] as const
    if (own.type !== 'array' && own.patternProperties === undefined) return tryChange(file, pair)
    const added = tryChange(file, pair)
    const takenAway = tryChange(file, [pair[1], pair[0]])
    return added === takenAway ? added : { added, takenAway }
  }
}
