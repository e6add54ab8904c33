import { listLevels } from './class-levels.ts'
import type { ClassDefinition } from './classes-config.ts'

/**
 * For each level at which a class learns something, the ids of all attacks that it has from then on. Each stands once, in the order in
 * which they are learnt: those of lower levels first, within a level as the file has them.
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
