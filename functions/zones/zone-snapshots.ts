import { setTimeout as wait } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { isOver, type Job } from '../../shared/domain/jobs/job.ts'
import { restoreJob, snapshotJob } from '../../shared/domain/jobs/snapshot-jobs.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { countRestored } from '../../shared/domain/zones/snapshots/find-differences.ts'
import { ZoneSnapshot } from '../../shared/domain/zones/snapshots/snapshot.ts'
import { parseZoneName } from '../../shared/domain/zones/zone.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { noContent, ok, route } from '../http/route.ts'
import { RestoreJob, SnapshotJob } from '../jobs/jobs.ts'
import { NameBody, ZoneParams } from './zones.ts'

const SnapshotParams = Type.Object({ ...ZoneParams.properties, snapshot: Type.String({ format: 'uuid' }) })

const waitMs = 50
/** A node takes a job at once if one is running. */
const looksQueued = 60
/** 10 s. After that, the answer is the job. */
const looksMax = 200

const accepted = (job: Job) => ({ status: 202, body: job, headers: { Location: `/api/admin/jobs/${job.id}` } }) as const

/** The job when it has ended, or its current state if that takes too long. */
const followJob = async ({ jobs }: Pick<HttpDeps, 'jobs'>, started: Job): Promise<Job> => {
  let job = started
  for (let looks = 0; looks < looksMax && !isOver(job); looks += 1) {
    if (job.state === 'queued' && looks >= looksQueued) break
    await wait(waitMs)
    job = await jobs.getJob(job.id)
  }
  return job
}

export const listSnapshots = route({
  method: 'get',
  path: '/api/admin/instances/:id/snapshots',
  permission: 'admin.instances.read',
  operationId: 'listZoneSnapshots',
  summary: 'The snapshots of a zone, newest first.',
  params: ZoneParams,
  responses: { 200: Type.Array(ZoneSnapshot) },
  problems: ['not-found'],
  handle: async ({ zones, snapshots }, { params }) => ok(await snapshots.list((await zones.getZone(params.id)).zone.id)),
})

/** Stores the current blocks of a zone. */
export const takeSnapshot = route({
  method: 'post',
  path: '/api/admin/instances/:id/snapshots',
  permission: 'admin.instances.write',
  operationId: 'takeZoneSnapshot',
  summary:
    'Store the blocks of a zone as they are at one moment of the game. Returns 202 with the job if that takes more than some seconds, or if no node runs the world: the next one takes the snapshot.',
  params: ZoneParams,
  body: NameBody,
  responses: { 201: ZoneSnapshot, 202: SnapshotJob },
  problems: ['not-found', 'too-many-snapshots', 'too-many-jobs', 'world-unusable'],
  handle: async ({ zones, worlds, snapshots, jobs }, { params, body, actor }) => {
    const name = parseZoneName(body.name)
    const { zone } = await zones.getZone(params.id)
    const world = await worlds.getWorld(zone.world)
    await snapshots.refuseFull(zone.id)
    const job = await followJob({ jobs }, await jobs.start(actor, snapshotJob({ world, zone }, name)))
    if (!isOver(job)) return accepted(job)
    if (job.state === 'done') {
      const { id, at, by, blocks, sizeBytes } = await snapshots.get(zone.id, job.id)
      return { status: 201, body: { id, name, at, by, blocks, sizeBytes } }
    }
    // Another request may have deleted either.
    await zones.getZone(zone.id)
    await snapshots.refuseFull(zone.id)
    throw new AppError('unavailable', 'service-unavailable', job.detail)
  },
})

export const deleteSnapshot = route({
  method: 'delete',
  path: '/api/admin/instances/:id/snapshots/:snapshot',
  permission: 'admin.instances.write',
  operationId: 'deleteZoneSnapshot',
  summary: 'Delete a snapshot of a zone.',
  params: SnapshotParams,
  responses: { 204: 'The snapshot is deleted.' },
  problems: ['not-found'],
  handle: async ({ zones, snapshots }, { params, actor }) => {
    const { zone } = await zones.getZone(params.id)
    await snapshots.remove(actor, zone.id, params.snapshot)
    return noContent
  },
})

/** Restores the blocks of a zone from a snapshot. */
export const restoreSnapshot = route({
  method: 'post',
  path: '/api/admin/instances/:id/snapshots/:snapshot/restore',
  permission: 'admin.instances.write',
  operationId: 'restoreZoneSnapshot',
  summary:
    'Start a job that restores the blocks of a zone from a snapshot, within the current bounds of the zone. The node of the world runs it, and players see it. With `dryRun` it only counts, in stored data.',
  params: SnapshotParams,
  query: ClosedObject({ dryRun: Type.Optional(Type.Boolean()) }),
  responses: { 200: ClosedObject({ blocks: Type.Integer({ minimum: 0 }) }), 202: RestoreJob },
  problems: ['not-found', 'too-many-jobs', 'world-unusable'],
  handle: async (deps, { params, query, actor }) => {
    const { zone } = await deps.zones.getZone(params.id)
    const [world, snapshot] = await Promise.all([deps.worlds.getWorld(zone.world), deps.snapshots.get(zone.id, params.snapshot)])
    if (query.dryRun !== true) return accepted(await deps.jobs.start(actor, restoreJob({ world, zone }, snapshot)))
    const registry = registryOf(deps.configs.get('blocks.yaml'))
    return ok({ blocks: await countRestored(deps, { world, zone, snapshot, registry }) })
  },
})
