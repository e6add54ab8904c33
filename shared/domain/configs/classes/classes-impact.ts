import { listClassChanges } from '../../classes/class-levels.ts'
import type { AttacksConfig, ClassesConfig, SpellsConfig } from '../../classes/classes-config.ts'
import type { ClassesImpact, SkillImpact } from '../compare/config-impact-schema.ts'
import { isSame } from '../compare/list-changes.ts'

const listedMax = 500

/** The skills that classes gain or lose at each level, at most 500. Other changes of a class are in the list of changes. */
export const describeClassesImpact = (stored: ClassesConfig, next: ClassesConfig): ClassesImpact => {
  const all = listClassChanges(stored, next)
  const listed = all.slice(0, listedMax).map(({ gains, loses, ...rest }) => ({ ...rest, gains: [...gains], loses: [...loses] }))
  return { classes: listed, ...(all.length > listedMax && { classesOmitted: all.length - listedMax }) }
}

type Skills = AttacksConfig['attacks'] | SpellsConfig['spells']

/** The classes that learn each skill at any level, sorted. */
const indexLearners = ({ classes }: ClassesConfig): ReadonlyMap<string, readonly string[]> => {
  const learners = new Map<string, string[]>()
  for (const name of Object.keys(classes).sort()) {
    const levels = Object.values(classes[name]?.levels ?? {})
    const skills = levels.flatMap(({ attacks, spells }) => [...attacks.map(({ attack }) => attack), ...spells])
    for (const skill of new Set(skills)) learners.set(skill, [...(learners.get(skill) ?? []), name])
  }
  return learners
}

/** The added, changed and removed skills with the classes that learn them, sorted by id; at most 500. */
export const listSkillImpacts = (stored: Skills, next: Skills, classes: ClassesConfig): SkillImpact[] => {
  const [before, after] = [new Map(Object.entries(stored)), new Map(Object.entries(next))]
  const learners = indexLearners(classes)
  const isChanged = (id: string) => !isSame(before.get(id), after.get(id))
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .filter(isChanged)
    .slice(0, listedMax)
    .map((id) => ({
      id,
      change: !before.has(id) ? 'added' : after.has(id) ? 'changed' : 'removed',
      classes: [...(learners.get(id) ?? [])],
    }))
}
