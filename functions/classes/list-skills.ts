import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

export const Skills = ClosedObject({
  attacks: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
  spells: Type.Array(Type.String(), { description: 'Ids, sorted.' }),
})

/** Lists the ids that classes may name, disabled ones included. */
export const listSkills = route({
  method: 'get',
  path: '/api/admin/skills',
  permission: 'admin.classes.read',
  operationId: 'listSkills',
  summary: 'The ids of all active attacks and spells, disabled ones included.',
  responses: { 200: Skills },
  handle: ({ configs }) =>
    ok({
      attacks: Object.keys(configs.get('skills/attacks.yaml').attacks).toSorted(),
      spells: Object.keys(configs.get('skills/spells.yaml').spells).toSorted(),
    }),
})
