import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { WorldRecord } from '../worlds/world.ts'
import { worldPlace } from './job.ts'
import type { NewJob } from './job-service.ts'

export const snapshotName = 'snapshot'
export const restoreName = 'restore'

export const parseSnapshotInput = createParser(Type.Object({ zone: Type.String(), name: Type.String() }))
export const parseRestoreInput = createParser(Type.Object({ zone: Type.String(), snapshot: Type.String() }))
/** The stored progress of a restore: the number of parts and blocks done. */
export const parseRestoreKept = createParser(Type.Object({ parts: Type.Integer({ minimum: 0 }), blocks: Type.Integer() }))

type ZoneOfWorld = { readonly world: Pick<WorldRecord, 'id' | 'name'>; readonly zone: { readonly id: string } }

const jobOf = ({ world, zone }: ZoneOfWorld, kind: string, input: object): Omit<NewJob, 'audit'> => ({
  kind,
  place: worldPlace(world.id),
  world: world.name,
  zone: zone.id,
  input,
  permission: 'admin.instances.write',
  detail: `Waits for the node that runs the world "${world.name}".`,
})

/** A job that takes a snapshot of a zone. The id of the job becomes the id of the snapshot. */
export const snapshotJob = (place: ZoneOfWorld, name: string): NewJob => ({
  ...jobOf(place, snapshotName, { zone: place.zone.id, name }),
  audit: { action: 'zone.snapshot', target: place.zone.id, after: { name } },
})

/** A job that restores the blocks of a zone from a snapshot. */
export const restoreJob = (place: ZoneOfWorld, { id, name }: { readonly id: string; readonly name: string }): NewJob => ({
  ...jobOf(place, restoreName, { zone: place.zone.id, snapshot: id }),
  audit: { action: 'zone.restore', target: place.zone.id, after: { snapshot: id, name, world: place.world.name } },
})
