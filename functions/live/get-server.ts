import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { version } from '../../shared/kernel/version.ts'
import { ok, route } from '../http/route.ts'

/** What runs and since when, for the status line of the console. */
export const getServer = route({
  method: 'get',
  path: '/api/admin/server',
  permission: 'admin.metrics.read',
  operationId: 'getServer',
  summary: 'The version of the server and when its process started.',
  responses: {
    200: ClosedObject({
      version: Type.String({ description: 'The version of Gatehouse.' }),
      startedAt: Type.String({ format: 'date-time', description: 'When the process that answers started.' }),
    }),
  },
  handle: async ({ clock }) => ok({ version, startedAt: new Date(clock.now() - process.uptime() * 1000).toISOString() }),
})
