import { Type } from '@sinclair/typebox'
import { ClassDefinition } from '../../shared/domain/classes/classes-config.ts'
import { ok, route } from '../http/route.ts'

/** Lists the active classes in the form of `classes.yaml`. */
export const listClasses = route({
  method: 'get',
  path: '/api/admin/classes',
  permission: 'admin.classes.read',
  operationId: 'listClasses',
  summary: 'Every active class by its name, as in `classes.yaml`.',
  responses: { 200: Type.Record(Type.String(), ClassDefinition, { description: 'Classes by name.' }) },
  handle: ({ configs }) => ok(configs.get('classes.yaml').classes),
})
