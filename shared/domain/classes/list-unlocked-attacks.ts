import { listLevels } from './class-levels.ts'
import type { ClassDefinition } from './classes-config.ts'

/**
 * The ids of all attacks that a class has from each level on, for levels at which it learns something. Each id appears once, in the order
 * of learning: by level, and within a level as in the file.
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
