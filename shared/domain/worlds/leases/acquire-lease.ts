import { setTimeout as pause } from 'node:timers/promises'
import { holdFileLock } from '../../../platform/storage/files/file-lock.ts'
import { keepLease } from './keep-lease.ts'
import { leaseRecords } from './lease-record.ts'
import { type TakeLeaseDeps, takeLease, worldHeld } from './take-lease.ts'
import type { WorldLease } from './world-lease.ts'

export type AcquireLeaseOptions = Omit<TakeLeaseDeps, 'ttlMs' | 'beatMs'> & {
  /** Next to the chunks of the world: `<dataDir>/worlds/<name>.lease`. `.lock` is appended, and the folder is created if absent. */
  readonly lockPath: string
  /** 14 s when absent. With reading and writing, another machine takes over within 15 s. */
  readonly ttlMs?: number
  /** 5 s when absent. */
  readonly renewMs?: number
  /** How often to check the clock and the record; half a second when absent. */
  readonly beatMs?: number
}

/** The default times of leases. */
export const leaseTimes = { ttlMs: 14_000, renewMs: 5000, beatMs: 500 } as const

const nameTries = 4

/** Retries, because the holder of the lock may not have written its name yet. */
const findHolderName = async ({ store, worldName, beatMs }: Pick<TakeLeaseDeps, 'store' | 'worldName' | 'beatMs'>) => {
  for (let tries = 1; ; tries += 1) {
    const holder = (await store.get(leaseRecords, worldName))?.value.holder
    if (holder !== undefined || tries === nameTries) return holder?.name
    await pause(beatMs)
  }
}

/**
 * Takes the lease of a world and keeps it until `release` (docs/decisions/0015-worlds-and-leases.md). A lease is a kernel lock for
 * processes on this machine, and a record in the Store for other machines. If the last holder died on this machine, takes over at once.
 * If it was on another machine, waits for `ttlMs` without a sign of life first.
 * Throws AppError `conflict`, slug `world-held`, with the name of a live holder; `unavailable` if the store or the lock cannot be
 * reached.
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
