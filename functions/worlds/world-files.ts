import { Type } from '@sinclair/typebox'
import { importWorldJob, worldUploadBytesMax } from '../../shared/domain/world-moves/world-imports.ts'
import { exportedElsewhere, importedElsewhere } from '../../shared/domain/world-moves/world-moves.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { layOutWorld } from '../../shared/domain/worlds/export/lay-out-world.ts'
import { openWorldExport } from '../../shared/domain/worlds/export/open-world-export.ts'
import { checkNewWorld } from '../../shared/domain/worlds/new-world.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { gzipPieces } from '../http/answer/gzip-pieces.ts'
import { withEnd } from '../http/answer/with-end.ts'
import { route, stream } from '../http/route.ts'
import { ImportWorldJob } from '../jobs/jobs.ts'

/** Streams a world as one file, the same as `npm run world -- export` writes. */
export const exportWorld = route({
  method: 'get',
  path: '/api/admin/worlds/:world/export',
  permission: 'admin.worlds.read',
  operationId: 'exportWorld',
  summary:
    'A world as one file for `npm run world -- import`, streamed while it is read. A damaged column cuts the file off, and an import refuses such a file.',
  params: ClosedObject({ world: WorldName }),
  responses: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/gzip',
  responseHeaders: { 'Content-Disposition': Type.String({ description: '`attachment`, with a file name.' }) },
  problems: ['not-found', 'managed-elsewhere', 'world-unusable'],
  handle: async ({ worlds, worldMoves, chunks, configs, worldStates, listings, turns }, { params, actor, request }) => {
    const world = await worlds.getWorld(params.world)
    if (worldMoves === undefined) throw exportedElsewhere(world.name)
    const release = listings.take(request.grant?.signInId ?? actor.playerId)
    const signal = request.clientGone()
    signal.addEventListener('abort', release, { once: true })
    try {
      const createRegistry = () => registryOf(configs.get('blocks.yaml'))
      const { contents } = await openWorldExport(
        { chunks, createRegistry, listStates: worldStates.list, signal, pause: () => turns.next() },
        world,
      )
      const headers = { 'Content-Disposition': `attachment; filename="${world.name}.world"` }
      return stream('application/gzip', withEnd(gzipPieces(layOutWorld(contents)), release), headers)
    } catch (error) {
      release()
      throw error
    }
  },
})

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
