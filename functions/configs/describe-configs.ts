import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { SaveEffect } from './config-inputs.ts'

export const ListedConfig = ClosedObject({
  name: Type.String({ description: 'The name of the file.' }),
  summary: Type.String({ description: 'What the file configures, in one sentence.' }),
  effect: SaveEffect,
  isDefault: Type.Optional(
    Type.Boolean({
      description:
        'Whether its values equal the bundled ones, whatever the comments. Absent, like the next two, without the permission to read the file.',
    }),
  ),
  savedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the text was saved. Absent for the bundled text.' }),
  ),
  savedBy: Type.Optional(
    Type.String({ description: 'The email of the author; `file` for a text that was written outside the server.' }),
  ),
})

/** Lists the config files with their purpose, their author, and whether they differ from the default. */
export const describeConfigs = route({
  method: 'get',
  path: '/api/admin/config-files',
  permission: 'admin.configs.read',
  operationId: 'describeConfigs',
  summary: 'The config files with their purpose, the author of the text, and whether the values differ from the default.',
  responses: { 200: Type.Array(ListedConfig) },
  handle: async ({ configEditor }, { actor }) => ok(await configEditor.describeAll(actor)),
})
