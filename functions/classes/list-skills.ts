import { Type } from '@sinclair/typebox'
import { Attack } from '../../shared/domain/classes/attacks-config.ts'
import { Spell } from '../../shared/domain/classes/spells-config.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

export const Skills = ClosedObject({
  attacks: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
  spells: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
  attackDetails: Type.Record(Type.String(), Attack, { description: 'Attacks by id, with their ranks.' }),
  spellDetails: Type.Record(Type.String(), Spell, { description: 'Spells by id.' }),
})

/** Lists the skills that classes may name, disabled ones included. */
export const listSkills = route({
  method: 'get',
  path: '/api/admin/skills',
  permission: 'admin.classes.read',
  operationId: 'listSkills',
  summary: 'All attacks and spells with ranks, costs and cooldowns, disabled ones included.',
  responses: { 200: Skills },
  handle: ({ configs }) => {
    const { attacks } = configs.get('skills/attacks.yaml')
    const { spells } = configs.get('skills/spells.yaml')
    return ok({
      attacks: Object.keys(attacks).toSorted(),
      spells: Object.keys(spells).toSorted(),
      attackDetails: attacks,
      spellDetails: spells,
    })
  },
})
