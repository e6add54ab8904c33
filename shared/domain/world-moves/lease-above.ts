import { leaseRecords } from '../worlds/leases/lease-record.ts'
import type { WorldLease } from '../worlds/leases/world-lease.ts'
import type { WorldRef } from '../worlds/store/chunk-store.ts'
import type { MoveDeps } from './world-moves.ts'

/** The lease of a world whose chunks were written under another name. Its fence is above theirs. */
export const leaseAbove = async (
  { acquireLease, store }: Pick<MoveDeps, 'acquireLease' | 'store'>,
  world: WorldRef,
  fence: number,
): Promise<WorldLease> => {
  const lease = await acquireLease(world)
  if (lease.fence > fence) return lease
  await lease.release()
  const stored = await store.get(leaseRecords, world.name)
  await store.put(leaseRecords, world.name, { fence }, { ifVersion: stored?.version ?? null })
  return acquireLease(world)
}
