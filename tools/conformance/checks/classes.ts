import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { expectBody, expectEqual, expectStatus, expectThat, show } from '../report/expectations.ts'

const Unlocks = Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.String())))
const Levels = Type.Record(
  Type.String(),
  Type.Object({
    attacks: Type.Optional(Type.Array(Type.Object({ attack: Type.String(), rank: Type.Integer() }))),
    spells: Type.Optional(Type.Array(Type.String())),
  }),
)
const Classes = Type.Record(Type.String(), Type.Object({ resource: Type.String(), levels: Levels }))
const Use = { cost: Type.Integer({ minimum: 0 }), cooldownMs: Type.Integer({ minimum: 0 }) }
const Attack = Type.Object({
  ranks: Type.Record(Type.String(), Type.Object({ ...Use, power: Type.Number(), dice: Type.String() })),
})
const Spell = Type.Object({ ...Use, radius: Type.Number(), maxRange: Type.Number() })
const Skills = Type.Object({
  attacks: Type.Array(Type.String()),
  spells: Type.Array(Type.String()),
  attackDetails: Type.Record(Type.String(), Attack),
  spellDetails: Type.Record(Type.String(), Spell),
})
const Details = Type.Object({
  classes: Classes,
  attackDetails: Skills.properties.attackDetails,
  spellDetails: Skills.properties.spellDetails,
})

const readUnlocks = async ({ ask }: Kit) => {
  const answer = await ask('nobody', 'GET /api/classes')
  expectStatus(answer, 200)
  return expectBody(answer, Unlocks)
}

export const classes = feature('Classes and skills', [
  check('nothing', 'list the attacks of a class without a sign-in, never fewer at a higher level', async (kit) => {
    for (const [name, levels] of Object.entries(await readUnlocks(kit))) {
      const byLevel = Object.entries(levels).toSorted(([one], [other]) => Number(one) - Number(other))
      for (const [i, [level, attacks]] of byLevel.entries()) {
        const lost = byLevel[i - 1]?.[1].find((attack) => !attacks.includes(attack))
        expectThat(lost === undefined, `every attack of lower levels at level ${level} of ${name}`, () => `none of ${lost}`)
        expectEqual(`attacks of ${name} at level ${level}, each once,`, new Set(attacks).size, attacks.length)
      }
    }
  }),
  check('nothing', 'have ranks, costs, cooldowns and spells without a sign-in, with details=true', async (kit) => {
    const answer = await kit.ask('nobody', 'GET /api/classes?details=true')
    expectStatus(answer, 200)
    const { classes: all, attackDetails, spellDetails } = expectBody(answer, Details)
    expectEqual('the names', Object.keys(all).toSorted(), Object.keys(await readUnlocks(kit)).toSorted())
    for (const { attacks = [], spells = [] } of Object.values(all).flatMap(({ levels }) => Object.values(levels))) {
      const missing = attacks.filter(({ attack, rank }) => attackDetails[attack]?.ranks[rank] === undefined)
      expectThat(missing.length === 0, 'a description of each granted rank', () => show(missing))
      const missingSpells = spells.filter((id) => spellDetails[id] === undefined)
      expectThat(missingSpells.length === 0, 'a description of each granted spell', () => show(missingSpells))
    }
  }),
  check('administrator', 'are the same for administrators, with all other fields', async (kit) => {
    const answer = await kit.ask('administrator', 'GET /api/admin/classes')
    expectStatus(answer, 200)
    const all = expectBody(answer, Classes)
    const unlocks = await readUnlocks(kit)
    expectEqual('the names', Object.keys(unlocks).toSorted(), Object.keys(all).toSorted())
    for (const [name, { levels }] of Object.entries(all))
      expectEqual(`the levels of ${name}`, Object.keys(unlocks[name] ?? {}).toSorted(), Object.keys(levels).toSorted())
  }),
  check('administrator', 'name existing attacks and spells, sorted', async ({ ask }) => {
    const skills = expectBody(await ask('administrator', 'GET /api/admin/skills'), Skills)
    const all = expectBody(await ask('administrator', 'GET /api/admin/classes'), Classes)
    for (const ids of [skills.attacks, skills.spells]) expectEqual('ids', ids, [...new Set(ids)].toSorted())
    const levels = Object.values(all).flatMap((one) => Object.values(one.levels))
    const attacks = levels.flatMap((level) => level.attacks ?? []).map(({ attack }) => attack)
    const spells = levels.flatMap((level) => level.spells ?? [])
    const unknown = [
      ...attacks.filter((id) => !skills.attacks.includes(id)),
      ...spells.filter((id) => !skills.spells.includes(id)),
    ]
    expectThat(unknown.length === 0, 'known ids', () => show(unknown))
  }),
  check('administrator', 'describe each attack and spell, and each rank that a class grants', async ({ ask }) => {
    const skills = expectBody(await ask('administrator', 'GET /api/admin/skills'), Skills)
    const all = expectBody(await ask('administrator', 'GET /api/admin/classes'), Classes)
    expectEqual('described attacks', Object.keys(skills.attackDetails).toSorted(), skills.attacks)
    expectEqual('described spells', Object.keys(skills.spellDetails).toSorted(), skills.spells)
    const granted = Object.values(all).flatMap(({ levels }) => Object.values(levels).flatMap(({ attacks = [] }) => attacks))
    const missing = granted.filter(({ attack, rank }) => skills.attackDetails[attack]?.ranks[rank] === undefined)
    expectThat(missing.length === 0, 'a description of each granted rank', () => show(missing))
  }),
])
