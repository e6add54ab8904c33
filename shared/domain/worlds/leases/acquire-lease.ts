import { setTimeout as pause } from 'node:timers/promises'
import { holdFileLock } from '../../../platform/storage/files/file-lock.ts'
import { keepLease } from './keep-lease.ts'
import { leaseRecords } from './lease-record.ts'
import { type TakeLeaseDeps, takeLease, worldHeld } from './take-lease.ts'
import type { WorldLease } from './world-lease.ts'

export type AcquireLeaseOptions = Omit<TakeLeaseDeps, 'ttlMs' | 'beatMs'> & {
  /** Beside the chunks of the world: `<dataDir>/worlds/<name>.lease`; `.lock` is added, and the folder made when absent. */
  readonly lockPath: string
  /** 14 s when absent: with reading and writing, another machine takes over within 15. */
  readonly ttlMs?: number
  /** 5 s when absent. */
  readonly renewMs?: number
  /** How often to look at clock and record; half a second when absent. */
  readonly beatMs?: number
}

/** How leases are kept unless told otherwise. */
export const leaseTimes = { ttlMs: 14_000, renewMs: 5000, beatMs: 500 } as const

const nameTries = 4

/** Who has the lock has perhaps not written its name yet. */
const findHolderName = async ({ store, worldName, beatMs }: Pick<TakeLeaseDeps, 'store' | 'worldName' | 'beatMs'>) => {
  for (let tries = 1; ; tries += 1) {
    const holder = (await store.get(leaseRecords, worldName))?.value.holder
    if (holder !== undefined || tries === nameTries) return holder?.name
    await pause(beatMs)
  }
}

/**
 * Takes the right to run a world and keeps it until `release` (docs/decisions/0015-worlds-and-leases.md). The right is a lock of the
 * kernel on this machine and a record in the Store for the others. A holder that died on this machine is succeeded at once. One on another
 * is succeeded when it was not seen alive for `ttlMs`; this waits that long then. Throws AppError `conflict`, slug `world-held`, naming
 * the holder that lives; `unavailable` when the store or the lock cannot be reached.
 */
export const acquireLease = async ({ lockPath, ...options }: AcquireLeaseOptions): Promise<WorldLease> => {
  const deps = { ...leaseTimes, ...options }
  const lock = holdFileLock(lockPath)
  if (lock === undefined) throw worldHeld(deps.worldName, await findHolderName(deps))
  try {
    return keepLease({ ...deps, freeLock: lock.release }, await takeLease(deps))
  } catch (error) {
    lock.release()
    throw error
  }
}
