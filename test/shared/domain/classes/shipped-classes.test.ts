import { describe, expect, it } from '@jest/globals'
import { listLevels } from '../../../../shared/domain/classes/class-levels.ts'
import type { ClassDefinition } from '../../../../shared/domain/classes/classes-config.ts'
import { evaluateFormula, parseFormula } from '../../../../shared/rules/formula.ts'
import { readShippedClasses } from '../../../support/configs/shipped-classes.ts'

const { classes, attacks, spells } = readShippedClasses()
const names = Object.keys(classes)

const evaluate = (text: string | undefined, { bonuses }: ClassDefinition, level: number) => {
  const parsed = parseFormula(text ?? '')
  if (!parsed.ok) throw new Error(parsed.messages.join('; '))
  return evaluateFormula(parsed.formula, { level, ...bonuses })
}

const resourceAt = (definition: ClassDefinition, level: number) =>
  evaluate(definition.resource === 'MANA' ? definition.manaFormula : definition.rageFormula, definition, level)

/** The damage of an average hit, from dice such as `2d6+3`. */
const averageHit = ({ power, dice }: { readonly power: number; readonly dice: string }) => {
  const [, count, sides, more = '0'] = /^(\d+)d(\d+)([+-]\d+)?$/.exec(dice) ?? []
  return power + (Number(count) * (Number(sides) + 1)) / 2 + Number(more)
}

const granted = names.flatMap((name) => listLevels(classes[name] as ClassDefinition))

describe('the shipped classes', () => {
  it('are warrior, mage, ranger, rogue and cleric, with five levels each', () => {
    expect(names.toSorted()).toEqual(['cleric', 'mage', 'ranger', 'rogue', 'warrior'])
    for (const definition of Object.values(classes)) expect(Object.keys(definition.levels)).toHaveLength(5)
  })

  it('use mana or rage', () => {
    expect(new Set(Object.values(classes).map(({ resource }) => resource))).toEqual(new Set(['MANA', 'RAGE']))
  })

  it('grant each of at least 20 attacks in every rank, and each of at least 10 spells', () => {
    expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(20)
    expect(Object.keys(spells).length).toBeGreaterThanOrEqual(10)
    const ranks = Object.entries(attacks).flatMap(([id, attack]) => Object.keys(attack.ranks).map((rank) => `${id} ${rank}`))
    const grants = granted.flatMap((level) => level.attacks.map(({ attack, rank }) => `${attack} ${rank}`))
    expect(grants.toSorted()).toEqual(ranks.toSorted())
    expect(granted.flatMap((level) => level.spells).toSorted()).toEqual(Object.keys(spells).toSorted())
  })

  it('have every skill enabled', () => {
    expect([...Object.values(attacks), ...Object.values(spells)].filter(({ enabled }) => !enabled)).toEqual([])
  })

  it.each(names)('let a %s begin with two attacks, learn something at each level, and afford it', (name) => {
    const definition = classes[name] as ClassDefinition
    expect(definition.levels['1']?.attacks).toHaveLength(2)
    for (const { level, ...learned } of listLevels(definition)) {
      const costs = [
        ...learned.attacks.map(({ attack, rank }) => attacks[attack]?.ranks[rank]?.cost),
        ...learned.spells.map((spell) => spells[spell]?.cost),
      ]
      expect(costs.length).toBeGreaterThan(0)
      for (const cost of costs) expect(cost).toBeLessThanOrEqual(resourceAt(definition, level) / 2)
    }
  })

  it.each(names)('increase the points of a %s with its level, in whole points', (name) => {
    const definition = classes[name] as ClassDefinition
    for (let level = 1; level < 60; level++) {
      const hp = evaluate(definition.hpFormula, definition, level)
      expect(Number.isInteger(hp) && Number.isInteger(resourceAt(definition, level))).toBe(true)
      expect(evaluate(definition.hpFormula, definition, level + 1)).toBeGreaterThan(hp)
      expect(resourceAt(definition, level + 1)).toBeGreaterThanOrEqual(resourceAt(definition, level))
    }
  })
})

describe.each(Object.entries(attacks))('the shipped attack %s', (_, { ranks }) => {
  const rows = Object.entries(ranks)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, rank]) => rank)

  it('gains a third to nine tenths with each rank, and costs no less', () => {
    for (const [index, rank] of rows.entries()) {
      const before = rows[index - 1]
      if (before === undefined) continue
      const growth = averageHit(rank) / averageHit(before)
      expect(growth).toBeGreaterThan(1.33)
      expect(growth).toBeLessThan(1.9)
      expect(rank.cost).toBeGreaterThanOrEqual(before.cost)
      expect(rank.cooldownMs).toBeLessThanOrEqual(before.cooldownMs)
    }
  })

  it('is cheap to use at once, or has a cooldown', () => {
    for (const { cost, cooldownMs } of rows) expect(cooldownMs).toBeGreaterThanOrEqual(cost > 6 ? 3000 : 1000)
  })
})
