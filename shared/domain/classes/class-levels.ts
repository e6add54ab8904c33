import type { ClassDefinition } from './classes-config.ts'

/** The entry of that name, or undefined; what every object inherits, such as `constructor`, is no entry. */
export const findOwn = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

type ClassLevel = ClassDefinition['levels'][string] & { readonly level: number }

/** The levels at which a class learns something, the lowest first, as every object has keys that are whole numbers. */
export const listLevels = ({ levels }: Pick<ClassDefinition, 'levels'>): readonly ClassLevel[] =>
  Object.entries(levels).map(([level, learned]) => ({ level: Number(level), ...learned }))
