import type { Fault } from '../../../kernel/errors.ts'
import { ClassesConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'
import { findClassFormulaFaults } from './class-formula-faults.ts'
import { findClassGrantFaults } from './class-grant-faults.ts'

/** Faults for names that people would confuse. */
const findNameFaults = ({ classes }: ClassesConfig): Fault[] => {
  const seen = new Map<string, string>()
  return Object.keys(classes).flatMap((name) => {
    const before = seen.get(name.toLowerCase())
    seen.set(name.toLowerCase(), name)
    return before === undefined
      ? []
      : [{ pointer: `/classes/${name}`, message: `differs from "${before}" only in letter case: rename one, or merge them` }]
  })
}

/** `classes.yaml`: applies on reload. */
export const classesConfigFile = defineConfigFile({
  schema: ClassesConfig,
  summary: 'The classes of players, and the skills that they learn at each level.',
  effect: 'reload',
  refersTo: ['skills/attacks.yaml', 'skills/spells.yaml'],
  crossCheck: (config, others, most = Number.POSITIVE_INFINITY) => {
    const skills = {
      attacks: others.find('skills/attacks.yaml')?.attacks,
      spells: others.find('skills/spells.yaml')?.spells,
    }
    const faults = findNameFaults(config)
    for (const [name, definition] of Object.entries(config.classes)) {
      if (faults.length >= most) return faults
      const at = `/classes/${name}`
      for (const fault of findClassFormulaFaults(definition, at)) faults.push(fault)
      for (const fault of findClassGrantFaults(definition, at, skills)) faults.push(fault)
    }
    return faults
  },
})
