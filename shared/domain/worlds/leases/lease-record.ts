import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

/** What processes tell each other of who runs a world; stays after a release, because fences only rise. */
export const LeaseRecord = ClosedObject({
  fence: Type.Integer({ minimum: 1 }),
  /** Absent when nobody has it. */
  holder: Type.Optional(
    ClosedObject({
      /** One for each time that a lease is taken. */
      leaseId: Type.String({ format: 'uuid' }),
      name: Type.String(),
      machineId: Type.String(),
      pid: Type.Integer(),
      /** Not renewed for so long, the holder counts as dead. */
      ttlMs: Type.Integer({ minimum: 1 }),
    }),
  ),
})
export type LeaseRecord = Static<typeof LeaseRecord>

/** By the name of the world. Each write of a record changes its version, a renewal too: that is what shows a holder alive. */
export const leaseRecords = createCollection('world-leases', LeaseRecord)
