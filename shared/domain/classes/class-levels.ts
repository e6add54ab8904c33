import type { ClassDefinition, ClassesConfig } from './classes-config.ts'

/** The own entry of that name, or undefined; ignores inherited keys such as `constructor`. */
export const findOwn = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

type ClassLevel = ClassDefinition['levels'][string] & { readonly level: number }

/** The levels at which a class learns something, lowest first: objects list whole-number keys in ascending order. */
export const listLevels = ({ levels }: Pick<ClassDefinition, 'levels'>): readonly ClassLevel[] =>
  Object.entries(levels).map(([level, learned]) => ({ level: Number(level), ...learned }))

/** A skill of a class: an attack with its rank, or a spell. */
type SkillGrant = { readonly attack: string; readonly rank: number } | { readonly spell: string }

/** Grants added and removed at one level. A new rank of an attack gains the new rank and loses the old one. */
type ClassChange = {
  readonly class: string
  readonly level: number
  readonly gains: readonly SkillGrant[]
  readonly loses: readonly SkillGrant[]
}

type Level = ClassDefinition['levels'][string]

const listGrants = ({ attacks, spells }: Level): readonly SkillGrant[] => [
  ...attacks.map(({ attack, rank }) => ({ attack, rank })),
  ...spells.map((spell) => ({ spell })),
]

const keyOf = (grant: SkillGrant): string => ('spell' in grant ? grant.spell : `${grant.attack}/${grant.rank}`)

/** The grants of `level` that are not in `other`. */
const listMissing = (level: Level | undefined, other: Level | undefined): readonly SkillGrant[] => {
  const there = new Set(other === undefined ? [] : listGrants(other).map(keyOf))
  return level === undefined ? [] : listGrants(level).filter((grant) => !there.has(keyOf(grant)))
}

/** The keys of both, without duplicates. */
const keysOf = (one: object, other: object): readonly string[] => [...new Set([...Object.keys(one), ...Object.keys(other)])]

/** The gained and lost skills of each class, ordered by class and level. An added or removed class gains or loses all its skills. */
export const listClassChanges = (before: ClassesConfig, after: ClassesConfig): readonly ClassChange[] =>
  keysOf(before.classes, after.classes)
    .toSorted()
    .flatMap((name) => {
      const old = findOwn(before.classes, name)?.levels ?? {}
      const next = findOwn(after.classes, name)?.levels ?? {}
      return keysOf(old, next)
        .map((level) => ({
          class: name,
          level: Number(level),
          gains: listMissing(next[level], old[level]),
          loses: listMissing(old[level], next[level]),
        }))
        .filter(({ gains, loses }) => gains.length + loses.length > 0)
        .toSorted((one, other) => one.level - other.level)
    })

/**
 * The ids of all attacks of a class, by level. Has only levels at which the class learns an attack. Each id appears once, in the order of
 * learning: by level, then as in the file.
 */
export const listUnlockedAttacks = (definition: Pick<ClassDefinition, 'levels'>): Readonly<Record<string, readonly string[]>> => {
  const unlocked = new Set<string>()
  const byLevel: Record<string, readonly string[]> = {}
  for (const { level, attacks } of listLevels(definition)) {
    for (const { attack } of attacks) unlocked.add(attack)
    byLevel[level] = [...unlocked]
  }
  return byLevel
}
