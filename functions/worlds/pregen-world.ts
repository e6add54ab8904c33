import { PregenInput, pregenJob } from '../../shared/domain/jobs/pregen.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { route } from '../http/route.ts'
import { PregenJob } from '../jobs/jobs.ts'

/** Starts to generate columns before players get there. */
export const pregenWorld = route({
  method: 'post',
  path: '/api/admin/worlds/:world/pregen',
  permission: 'admin.worlds.write',
  operationId: 'pregenerateWorld',
  summary: 'Start a job that generates the columns around column 0,0. The node of the world runs it next to the game.',
  params: ClosedObject({ world: WorldName }),
  body: PregenInput,
  responses: { 202: PregenJob },
  problems: ['not-found', 'too-many-jobs'],
  handle: async ({ worlds, jobs }, { params, body, actor }) => {
    const job = await jobs.start(actor, pregenJob(await worlds.getWorld(params.world), body))
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})
