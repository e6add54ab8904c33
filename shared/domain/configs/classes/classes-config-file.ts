import type { Fault } from '../../../kernel/errors.ts'
import { evaluateFormula, type Formula, parseFormula } from '../../../rules/formula.ts'
import { type ClassDefinition, ClassesConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'
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

const levels = Array.from({ length: 60 }, (_, index) => index + 1)

const findResultFault = (formula: Formula, bonuses: ClassDefinition['bonuses']): string | undefined => {
  for (const level of levels) {
    const result = evaluateFormula(formula, { level, ...bonuses })
    if (Number.isNaN(result)) return `divides by zero at level ${level}`
    if (!Number.isFinite(result)) return `is too large a number at level ${level}`
    if (result < 1) return `is ${result} at level ${level}: it must be 1 or more at every level from 1 to 60`
  }
  return undefined
}

const findFormulaMessages = (text: string, bonuses: ClassDefinition['bonuses']): readonly string[] => {
  const parsed = parseFormula(text)
  if (!parsed.ok) return parsed.messages
  const message = findResultFault(parsed.formula, bonuses)
  return message === undefined ? [] : [message]
}

const findResourceFaults = ({ resource, manaFormula, rageFormula }: ClassDefinition, at: string): Fault[] => {
  const formulas = [
    { key: 'manaFormula', of: 'MANA', text: manaFormula },
    { key: 'rageFormula', of: 'RAGE', text: rageFormula },
  ] as const
  return formulas.flatMap(({ key, of, text }): Fault[] => {
    if (of === resource)
      return text === undefined ? [{ pointer: `${at}/${key}`, message: `is required because resource is ${resource}` }] : []
    return text === undefined
      ? []
      : [{ pointer: `${at}/${key}`, message: `is not used because resource is ${resource}: remove it` }]
  })
}

/** Faults in the formulas of the class at the JSON Pointer `at`: syntax, results at levels 1 to 60, and missing or unused formulas. */
const findClassFormulaFaults = (definition: ClassDefinition, at: string): Fault[] => [
  ...findResourceFaults(definition, at),
  ...(['hpFormula', 'manaFormula', 'rageFormula'] as const).flatMap((key) => {
    const text = definition[key]
    if (text === undefined) return []
    return findFormulaMessages(text, definition.bonuses).map((message) => ({ pointer: `${at}/${key}`, message }))
  }),
]

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
