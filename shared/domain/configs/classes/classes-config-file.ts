import type { Fault } from '../../../kernel/errors.ts'
import { ClassesConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'
import { findClassFormulaFaults } from './class-formula-faults.ts'
import { findClassGrantFaults } from './class-grant-faults.ts'

/** Names that people would take for one another. */
const findNameFaults = ({ classes }: ClassesConfig): Fault[] => {
  const seen = new Map<string, string>()
  return Object.keys(classes).flatMap((name) => {
    const before = seen.get(name.toLowerCase())
    seen.set(name.toLowerCase(), name)
    return before === undefined
      ? []
      : [{ pointer: `/classes/${name}`, message: `differs from "${before}" in its capitals only: rename one, or merge the two` }]
  })
}

/** `classes.yaml`: in force on reload. */
export const classesConfigFile = defineConfigFile({
  schema: ClassesConfig,
  summary: 'What players can be, and which skills each class learns at which level.',
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
