import { Type } from '@sinclair/typebox'
import { importWorldJob, worldUploadBytesMax } from '../../shared/domain/world-moves/world-imports.ts'
import { importedElsewhere } from '../../shared/domain/world-moves/world-moves.ts'
import { checkNewWorld } from '../../shared/domain/worlds/new-world.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { route } from '../http/route.ts'
import { ImportWorldJob } from '../jobs/jobs.ts'

/** Starts a job that makes a world from an uploaded file. */
export const importWorld = route({
  method: 'post',
  path: '/api/admin/worlds/:world/import',
  permission: 'admin.worlds.write',
  operationId: 'importWorld',
  summary:
    'Upload an exported world, and start a job that makes a new world of this name from it. The world appears when the whole file is verified. A broken upload leaves nothing.',
  params: ClosedObject({ world: WorldName }),
  body: Type.String({ format: 'binary' }),
  bodyMediaTypes: ['application/gzip', 'application/octet-stream'],
  bodyBytesMax: worldUploadBytesMax,
  streamsBody: true,
  responses: { 202: ImportWorldJob },
  problems: ['already-exists', 'managed-elsewhere', 'storage-full', 'request-timeout', 'too-many-jobs'],
  handle: async ({ worldImports, jobs, listings }, { params: { world: name }, actor, request }) => {
    checkNewWorld({ name })
    if (worldImports === undefined) throw importedElsewhere(name)
    await worldImports.expectFree(name)
    const release = listings.take(request.grant?.signInId ?? actor.playerId)
    const upload = await worldImports.receive(request.upload()).finally(release)
    const job = await jobs.start(actor, importWorldJob(actor, { name, upload })).catch(async (error: unknown) => {
      await worldImports.discard(upload.id)
      throw error
    })
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})
