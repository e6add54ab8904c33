const free = { cost: 0, cooldownMs: 0 }

/** Attacks, spells and two matching classes; `lancer` learns at the levels 2 and 10, `monk` nothing. */
export const classConfigs = {
  attacks: {
    attacks: {
      thrust: {
        damageType: 'piercing',
        enabled: true,
        ranks: { 1: { power: 4, dice: '1d6', ...free }, 2: { power: 8, dice: '2d6+3', ...free } },
      },
      charge: { damageType: 'blunt', enabled: true, ranks: { 1: { power: 10, dice: '1d10', cost: 5, cooldownMs: 3000 } } },
      pierce: { damageType: 'piercing', enabled: true, ranks: { 1: { power: 20, dice: '3d4-1', cost: 9, cooldownMs: 5000 } } },
      old_trick: { damageType: 'blunt', enabled: false, ranks: { 1: { power: 1, dice: '1d4', ...free } } },
    },
  },
  spells: {
    spells: {
      ward: { type: 'ward', enabled: true, cost: 3, cooldownMs: 0, radius: 4, maxRange: 0 },
      mend: { type: 'healing', enabled: true, ...free, radius: 0, maxRange: 8 },
      old_charm: { type: 'ward', enabled: false, ...free, radius: 0, maxRange: 0 },
    },
  },
  classes: {
    classes: {
      lancer: {
        resource: 'RAGE',
        bonuses: { str: 3, dex: 0, int: 0, wis: 0, con: 2, cha: 0 },
        hpFormula: '20 + 5 * level + con',
        rageFormula: '100',
        levels: {
          10: {
            attacks: [
              { attack: 'thrust', rank: 2 },
              { attack: 'pierce', rank: 1 },
            ],
            spells: ['mend'],
          },
          2: {
            attacks: [
              { attack: 'thrust', rank: 1 },
              { attack: 'charge', rank: 1 },
            ],
            spells: [],
          },
        },
      },
      monk: {
        resource: 'MANA',
        bonuses: { str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0 },
        hpFormula: 'level',
        manaFormula: 'level',
        levels: {},
      },
    },
  },
}
