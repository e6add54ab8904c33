import { type Static, Type } from '@sinclair/typebox'
import { findHistoryEnd } from '../../shared/domain/history/find-changes.ts'
import { planRollback } from '../../shared/domain/history/plan-rollback.ts'
import { filterOfRollback, type RollbackInput, rollbackJob } from '../../shared/domain/jobs/rollback.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { PlayerId } from '../accounts/users.ts'
import { ok, route } from '../http/route.ts'
import { RollbackCounts, RollbackJob } from '../jobs/jobs.ts'
import { authoriseLand } from './authorise-land.ts'
import { BlockBoxBody, findBox } from './block-box.ts'
import { refuseEmptyTime } from './refuse-empty-time.ts'
import { findZoneBounds } from './zone-bounds.ts'

const Instant = Type.String({ format: 'date-time' })

const RollbackBody = ClosedObject(
  {
    box: Type.Optional(BlockBoxBody),
    zone: Type.Optional(Type.String({ format: 'uuid', description: 'The blocks of this zone. Not with a box.' })),
    by: Type.Optional(PlayerId),
    module: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Only changes that this module made.' })),
    since: Instant,
    until: Type.Optional(Instant),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only counts, and changes nothing.' })),
  },
  { examples: [{ zone: '0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60', since: '2026-11-27T12:00:00.000Z', dryRun: true }] },
)

const readTimes = (body: Static<typeof RollbackBody>, endMs: number): Pick<RollbackInput, 'since' | 'until'> => {
  refuseEmptyTime(body)
  return { since: Date.parse(body.since), until: body.until === undefined ? endMs : Date.parse(body.until) }
}

/** Rolls back changes of blocks, or reports what that would do. */
export const rollbackWorld = route({
  method: 'post',
  path: '/api/admin/worlds/:world/rollback',
  permission: 'signed-in',
  operationId: 'rollBackWorld',
  privilege: 'admin.history.write',
  summary:
    'Start a job that rolls back changes of blocks in a box, in a zone, by a player or by a module. The node of the world runs it, and players see it. Skips blocks that someone else has changed since. With `dryRun` it only counts. Needs admin.history.write, or zone.history in your own zone.',
  params: ClosedObject({ world: WorldName }),
  body: RollbackBody,
  responses: { 200: RollbackCounts, 202: RollbackJob },
  problems: ['not-found', 'rule-broken', 'too-many-jobs', 'world-unusable', 'missing-permission', 'password-sign-in-needed'],
  handle: async ({ worlds, zones, chunks, jobs, clock }, { params, body, actor, request }) => {
    const { zone, box, by, module, dryRun = false } = body
    await authoriseLand(zones, actor, { request, permission: 'admin.history.write', world: params.world, zone })
    const world = await worlds.getWorld(params.world)
    if (zone !== undefined && box !== undefined) throw new AppError('invalid', 'bad-request', 'Give a box or a zone, not both.')
    if (zone === undefined && box === undefined && by === undefined && module === undefined)
      throw new AppError(
        'invalid',
        'bad-request',
        'Give a box, a zone, a player or a module. You cannot roll back a whole world at once.',
      )
    const found = box && findBox(box, '/box')
    const place = await findZoneBounds(zones, world, zone)
    const { columns, ...heights } = place
    const input: RollbackInput = {
      ...readTimes(body, body.until === undefined ? await findHistoryEnd(chunks, world, clock.now()) : 0),
      ...heights,
      ...(found && { box: found }),
      ...(columns && { columns: [...columns] }),
      ...(by !== undefined && { by: by.toLowerCase() }),
      ...(module !== undefined && { module }),
    }
    if (dryRun) return ok((await planRollback(chunks, world, { filter: filterOfRollback(input) })).counts)
    const job = await jobs.start(actor, rollbackJob(world, input, { zone }))
    return { status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }
  },
})
