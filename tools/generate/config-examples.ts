/** A realistic example of each config file, with the keys that operators change most. */
export const configExamples: Readonly<Record<string, string>> = {
  'server.yaml': `
auth:
  local:
    requirePassword: true
http:
  allowedOrigins: [https://admin.example.org]
  trustedProxies: 1
realtime:
  maxSessions: 200
`,
  'groups.yaml': `
groups:
  - name: player
    permissions: [world.build, command.who]
  - name: keeper
    description: Looks after the zones.
    inherits: [player]
    permissions: [zone.build, admin.instances.*, -command.tp]
defaultGroups: [player]
`,
  'blocks.yaml': `
blocks:
  - { id: stone, name: Stone, colour: '#7d7d7d' }
  - { id: water, name: Water, colour: '#3f66d6', solid: false }
`,
  'worldgen.yaml': `
seaLevel: 70
terrain: { amplitude: 1.5 }
ores:
  - { block: coal_ore, minY: 5, maxY: 128, veinsPerColumn: 20, veinBlocks: 14 }
`,
  'modules.yaml': `
modules:
  shop:
    required: true
    whenOff: refuse
    settings: { welcome: Hello }
  spleef: { enabled: false }
budget: { msPerTick: 2 }
`,
  'classes.yaml': `
classes:
  WARRIOR:
    resource: RAGE
    bonuses: { str: 3, dex: 0, int: -1, wis: 0, con: 2, cha: 0 }
    hpFormula: 20 + 8 * level + 2 * con
    rageFormula: 100 + level
    levels:
      1: { attacks: [{ attack: slash, rank: 1 }], spells: [] }
      10: { attacks: [{ attack: slash, rank: 2 }], spells: [second-wind] }
`,
  'skills/attacks.yaml': `
attacks:
  slash:
    damageType: slashing
    enabled: true
    ranks:
      1: { power: 6, cooldownMs: 1500, cost: 0, dice: 1d6 }
      2: { power: 9, cooldownMs: 1500, cost: 0, dice: 1d8+1 }
`,
  'skills/spells.yaml': `
spells:
  second-wind: { type: healing, enabled: true, cost: 20, cooldownMs: 60000, radius: 0, maxRange: 0 }
`,
}
