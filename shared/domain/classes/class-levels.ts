import type { ClassDefinition } from './classes-config.ts'

/** The own entry of that name, or undefined; ignores inherited keys such as `constructor`. */
export const findOwn = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

type ClassLevel = ClassDefinition['levels'][string] & { readonly level: number }

/** The levels at which a class learns something, lowest first: objects list whole-number keys in ascending order. */
export const listLevels = ({ levels }: Pick<ClassDefinition, 'levels'>): readonly ClassLevel[] =>
  Object.entries(levels).map(([level, learned]) => ({ level: Number(level), ...learned }))
