import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

/** The holder of a world, for all processes. The record stays after a release, because fences only rise. */
export const LeaseRecord = ClosedObject({
  fence: Type.Integer({ minimum: 1 }),
  /** Absent while no node has the lease. */
  holder: Type.Optional(
    ClosedObject({
      /** Unique for each taking of the lease. */
      leaseId: Type.String({ format: 'uuid' }),
      name: Type.String(),
      machineId: Type.String(),
      pid: Type.Integer(),
      /** Without a renewal for this time, the holder counts as dead. */
      ttlMs: Type.Integer({ minimum: 1 }),
    }),
  ),
})
export type LeaseRecord = Static<typeof LeaseRecord>

/** By the name of the world. Each write, including a renewal, changes the version of the record. This shows that a holder is alive. */
export const leaseRecords = createCollection('world-leases', LeaseRecord)
