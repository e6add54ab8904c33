import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { ok, route } from '../http/route.ts'

const Schemas = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
  description: 'By the name of the module. A module without settings is not listed.',
  examples: [{ greeter: { type: 'object', properties: { welcome: { type: 'string', default: 'Welcome' } } } }],
})

const parseSchemas = createParser(Schemas)

/** Lists the schemas of the settings of modules, for forms. */
export const listModuleSettings = route({
  method: 'get',
  path: '/api/admin/modules/settings',
  permission: 'admin.modules.read',
  operationId: 'listModuleSettings',
  summary: 'The JSON Schema of the settings of each running module. Their values are in `modules.yaml`.',
  responses: { 200: ClosedObject({ schemas: Schemas }) },
  handle: async ({ moduleOrders }) => {
    const outcomes = await moduleOrders.send({ kind: 'read-settings' })
    const found = outcomes.flatMap((outcome) => {
      const parsed = outcome.outcome === 'done' ? parseSchemas(outcome.value) : undefined
      return parsed?.ok ? Object.entries(parsed.value) : []
    })
    return ok({ schemas: Object.fromEntries(found) })
  },
})
