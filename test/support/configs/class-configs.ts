/** Attacks, spells and two classes that go with each other; `lancer` learns at the levels 2 and 10, `monk` nothing. */
export const classConfigs = {
  attacks: {
    attacks: {
      thrust: { damageType: 'piercing', ranks: { 1: { power: 4, dice: '1d6' }, 2: { power: 8, dice: '2d6+3' } } },
      charge: { damageType: 'blunt', ranks: { 1: { power: 10, dice: '1d10', cost: 5, cooldownMs: 3000 } } },
      pierce: { damageType: 'piercing', ranks: { 1: { power: 20, dice: '3d4-1', cost: 9, cooldownMs: 5000 } } },
      old_trick: { damageType: 'blunt', enabled: false, ranks: { 1: { power: 1, dice: '1d4' } } },
    },
  },
  spells: {
    spells: {
      ward: { type: 'ward', cost: 3, radius: 4 },
      mend: { type: 'healing', maxRange: 8 },
      old_charm: { type: 'ward', enabled: false },
    },
  },
  classes: {
    classes: {
      lancer: {
        resource: 'RAGE',
        bonuses: { str: 3, con: 2 },
        hpFormula: '20 + 5 * level + con',
        rageFormula: '100',
        levels: {
          10: { attacks: [{ attack: 'thrust', rank: 2 }, { attack: 'pierce' }], spells: ['mend'] },
          2: { attacks: [{ attack: 'thrust', rank: 1 }, { attack: 'charge' }] },
        },
      },
      monk: { resource: 'MANA', hpFormula: 'level', manaFormula: 'level' },
    },
  },
}
