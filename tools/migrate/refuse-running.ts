import { setTimeout as sleep } from 'node:timers/promises'
import { type LeaseRecord, leaseRecords } from '../../shared/domain/worlds/leases/lease-record.ts'
import { worldHeld } from '../../shared/domain/worlds/leases/take-lease.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { StoredRecord } from '../../shared/platform/storage/store.ts'
import { listRecords } from './parts/records-part.ts'
import type { SourcePlace } from './places/place.ts'

export type RunningDeps = {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

const lookEveryMs = 500

type Lease = StoredRecord<LeaseRecord>

/** Clocks of machines differ, so this watches the record: a live holder renews it, and a dead one does not. */
const outwait = async (place: SourcePlace, leases: readonly Lease[], { clock, signal }: RunningDeps): Promise<void> => {
  const until = clock.monotonic() + Math.max(...leases.map(({ value }) => value.holder?.ttlMs ?? 0))
  while (clock.monotonic() < until) {
    await sleep(lookEveryMs, undefined, { signal })
    for (const { id, version } of leases) {
      const now = await place.store.get(leaseRecords, id)
      if (now?.value.holder !== undefined && now.version !== version) throw worldHeld(id, now.value.holder.name)
    }
  }
}

/**
 * Throws AppError `conflict` (`world-held`) if a node runs a world of the place. This takes up to 15 s after a crash. A holder
 * of `machineId` without the lock of this machine is dead.
 */
export const refuseRunning = async (place: SourcePlace, deps: RunningDeps, machineId?: string): Promise<void> => {
  const doubtful: Lease[] = []
  for await (const lease of listRecords(place.store, leaseRecords)) {
    const { holder } = lease.value
    if (!(await place.holdWorld(lease.id))) throw worldHeld(lease.id, holder?.name)
    if (holder !== undefined && holder.machineId !== machineId) doubtful.push(lease)
  }
  if (doubtful.length === 0) return
  deps.complain(`A node of ${place.label} has crashed or still runs. Checking for up to 15 s.\n`)
  await outwait(place, doubtful, deps)
}
