import { describe, expect, it } from '@jest/globals'
import { configNames } from '../../../../../shared/domain/configs/catalogue.ts'
import { ConfigImpact } from '../../../../../shared/domain/configs/compare/config-impact-schema.ts'
import { createParser } from '../../../../../shared/kernel/schema.ts'
import { createImpactFixture } from '../../../../support/configs/impact-fixture.ts'

const attack = (power: number) => ({
  damageType: 'slashing',
  enabled: true,
  ranks: { '1': { power, cooldownMs: 100, cost: 0, dice: '1d6' } },
})
const spell = (radius: number) => ({ type: 'healing', enabled: true, cost: 1, cooldownMs: 100, radius, maxRange: 0 })
const warrior = {
  resource: 'RAGE' as const,
  bonuses: { str: 1, dex: 0, int: 0, wis: 0, con: 0, cha: 0 },
  hpFormula: 'level * 10',
  rageFormula: '100',
  levels: { '1': { attacks: [{ attack: 'slash', rank: 1 }], spells: ['mend'] } },
}
const inputs = {
  attacks: { attacks: { slash: attack(1), stab: attack(2) } },
  spells: { spells: { mend: spell(0) } },
  classes: { classes: { WARRIOR: warrior } },
}

const open = async () => {
  const fixture = createImpactFixture(inputs)
  await fixture.addAccount('ann', ['player'], { connected: true })
  await fixture.addAccount('bob', ['player'], { connected: true })
  return fixture
}

describe('the impact of a config change', () => {
  it.each(configNames)('is empty without changes in %s', async (name) => {
    const { configs, describe } = await open()
    expect(await describe(name, structuredClone(configs.get(name)))).toMatchObject({ connected: 0, warnings: [] })
  })

  it('lists added, changed, removed and moved blocks', async () => {
    const { configs, describe } = await open()
    const [first, second, third, ...others] = configs.get('blocks.yaml').blocks
    if (!first || !second || !third) throw new Error('three blocks')
    const fresh = { id: 'jelly', name: 'Jelly', colour: '#00ff00', solid: true }
    const next = { blocks: [third, { ...second, colour: '#123456' }, ...others, fresh] }
    expect(await describe('blocks.yaml', next)).toEqual({
      connected: 2,
      warnings: [],
      blocks: { added: ['jelly'], changed: [second.id], removed: [first.id], moved: true },
    })
  })

  it('lists for each class and level the gained and lost skills', async () => {
    const { describe } = await open()
    const levels = { '1': { attacks: [], spells: ['mend'] }, '5': { attacks: [{ attack: 'stab', rank: 1 }], spells: [] } }
    expect(await describe('classes.yaml', { classes: { WARRIOR: { ...warrior, levels } } })).toEqual({
      connected: 2,
      warnings: [],
      classes: [
        { class: 'WARRIOR', level: 1, gains: [], loses: [{ attack: 'slash', rank: 1 }] },
        { class: 'WARRIOR', level: 5, gains: [{ attack: 'stab', rank: 1 }], loses: [] },
      ],
    })
  })

  it('lists added, changed and removed skills, and the classes that learn them', async () => {
    const { describe } = await open()
    const attacks = { slash: attack(9), chop: attack(3) }
    expect((await describe('skills/attacks.yaml', { attacks })).skills).toEqual([
      { id: 'chop', change: 'added', classes: [] },
      { id: 'slash', change: 'changed', classes: ['WARRIOR'] },
      { id: 'stab', change: 'removed', classes: [] },
    ])
    expect((await describe('skills/spells.yaml', { spells: { mend: spell(3) } })).skills).toEqual([
      { id: 'mend', change: 'changed', classes: ['WARRIOR'] },
    ])
  })

  it('affects no connected player when only new worlds change', async () => {
    const { configs, describe } = await open()
    expect(await describe('worldgen.yaml', { ...configs.get('worldgen.yaml'), seaLevel: 30 })).toEqual({
      connected: 0,
      warnings: [],
    })
  })

  it('counts the changes beyond the listed ones', async () => {
    const { describe } = await open()
    const attacks = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`skill-${at}`, attack(at)]))
    expect(await describe('skills/attacks.yaml', { attacks })).toMatchObject({ changesOmitted: 202 })
  })

  it('has no number of connected players while Redis is unavailable', async () => {
    const { describe, setAway } = await open()
    setAway({ redis: true })
    expect(await describe('skills/spells.yaml', { spells: {} })).toMatchObject({ connected: null })
  })

  it('conforms to its schema for every file', async () => {
    const { configs, describe } = await open()
    const parse = createParser(ConfigImpact)
    const impacts = [
      await describe('server.yaml', {
        ...configs.get('server.yaml'),
        http: { ...configs.get('server.yaml').http, trustedProxies: 1 },
      }),
      await describe('blocks.yaml', { blocks: [] }),
      await describe('classes.yaml', { classes: {} }),
      await describe('skills/attacks.yaml', { attacks: {} }),
      await describe('skills/spells.yaml', { spells: {} }),
      await describe('worldgen.yaml', { ...configs.get('worldgen.yaml'), seaLevel: 30 }),
      await describe('groups.yaml', { groups: [{ name: 'player', permissions: ['*'] }], defaultGroups: [] }),
    ]
    for (const impact of impacts) expect(parse(impact)).toEqual({ ok: true, value: impact })
  })
})
