import type { ClassDefinition } from '../configs/classes/classes-config.ts'

export type ClassLevel = ClassDefinition['levels'][string] & { readonly level: number }

/** The levels at which a class learns something, the lowest first, as every object has keys that are whole numbers. */
export const listLevels = ({ levels }: Pick<ClassDefinition, 'levels'>): readonly ClassLevel[] =>
  Object.entries(levels).map(([level, learned]) => ({ level: Number(level), ...learned }))
