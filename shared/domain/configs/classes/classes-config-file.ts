import type { Fault } from '../../../kernel/errors.ts'
import { evaluateFormula, type Formula, parseFormula } from '../../../rules/formula.ts'
import { findOwn, listLevels } from '../../classes/class-levels.ts'
import { type AttacksConfig, type ClassDefinition, ClassesConfig, type SpellsConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

type Attacks = AttacksConfig['attacks']
type Spells = SpellsConfig['spells']

/** The existing skills; undefined if their file is broken or not read yet, so that its rules do not apply. */
type KnownSkills = { readonly attacks: Attacks | undefined; readonly spells: Spells | undefined }

type Grant = { readonly attack: string; readonly rank: number }

/** Builds pointers only for faults, because there may be fifty thousand grants. */
type Report = (message: string, key?: 'attack' | 'rank') => void

const checkAttack = ({ attack, rank }: Grant, attacks: Attacks, report: Report): void => {
  const known = findOwn(attacks, attack)
  if (known === undefined) {
    report(`"${attack}" is not an attack of skills/attacks.yaml: add it there, or correct the id`, 'attack')
    return
  }
  if (!known.enabled) report(`"${attack}" is disabled in skills/attacks.yaml: enable it, or remove it here`, 'attack')
  if (!Object.hasOwn(known.ranks, rank))
    report(`"${attack}" has no rank ${rank}: its ranks are 1 to ${Object.keys(known.ranks).length}`, 'rank')
}

const checkSpell = (spell: string, spells: Spells, report: Report): void => {
  const known = findOwn(spells, spell)
  if (known === undefined) report(`"${spell}" is not a spell of skills/spells.yaml: add it there, or correct the id`)
  else if (!known.enabled) report(`"${spell}" is disabled in skills/spells.yaml: enable it, or remove it here`)
}

/** Finds grants without an effect: an attack at a rank no higher than before, or a spell twice. */
const createRepetitionCheck = () => {
  const ranks = new Map<string, { readonly rank: number; readonly level: number }>()
  const spellLevels = new Map<string, number>()
  return {
    checkAttack: ({ attack, rank }: Grant, level: number, report: Report): void => {
      const before = ranks.get(attack)
      if (before === undefined || (before.level !== level && before.rank < rank)) ranks.set(attack, { rank, level })
      else if (before.level === level) report(`"${attack}" is already granted at this level: remove one of them`, 'attack')
      else report(`"${attack}" has rank ${before.rank} since level ${before.level}: grant a higher rank, or remove this`, 'rank')
    },
    checkSpell: (spell: string, level: number, report: Report): void => {
      const before = spellLevels.get(spell)
      if (before === undefined) spellLevels.set(spell, level)
      else report(`"${spell}" is already granted at level ${before}: remove one of them`)
    },
  }
}

/** Faults in the grants of the class at the JSON Pointer `at`: missing or disabled skills, missing ranks, and grants without an effect. */
const findClassGrantFaults = (definition: ClassDefinition, at: string, { attacks, spells }: KnownSkills): Fault[] => {
  const faults: Fault[] = []
  const repetitions = createRepetitionCheck()
  let here = { level: 0, kind: 'attacks', index: 0 }
  const report: Report = (message, key) => {
    const pointer = `${at}/levels/${here.level}/${here.kind}/${here.index}`
    faults.push({ pointer: key === undefined ? pointer : `${pointer}/${key}`, message })
  }
  for (const { level, ...learned } of listLevels(definition)) {
    for (const [index, grant] of learned.attacks.entries()) {
      here = { level, kind: 'attacks', index }
      if (attacks !== undefined) checkAttack(grant, attacks, report)
      repetitions.checkAttack(grant, level, report)
    }
    for (const [index, spell] of learned.spells.entries()) {
      here = { level, kind: 'spells', index }
      if (spells !== undefined) checkSpell(spell, spells, report)
      repetitions.checkSpell(spell, level, report)
    }
  }
  return faults
}

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
