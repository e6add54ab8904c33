import { AppError } from '../../../kernel/errors.ts'
import { holdFileLock } from '../../../platform/storage/files/file-lock.ts'
import type { StoredRecord, Version } from '../../../platform/storage/store.ts'
import { type AcquireLeaseOptions, leaseTimes } from './acquire-lease.ts'
import { keepLease } from './keep-lease.ts'
import { type LeaseRecord, leaseRecords } from './lease-record.ts'
import { type TakenLease, type Vacancy, vacancyOf, writeLease } from './take-lease.ts'
import type { WorldLease } from './world-lease.ts'

/** A world that another process holds. */
export type HeldWorld = {
  /** Undefined for another process on this machine that has not written its name yet. */
  readonly holderName: string | undefined
  /** Whether the holder is known to be alive. One on another machine is once its record changed. */
  readonly isAlive: boolean
}

/** Tries repeatedly to take the lease of one world. Each attempt is quick. */
export type LeaseSeeker = {
  /** Takes the lease if it is available, and keeps it until `release`. Throws AppError `unavailable`. */
  seek(): Promise<{ readonly lease: WorldLease } | HeldWorld>
}

/** A record since it was first seen in this version. */
type Watched = { readonly version: Version; readonly sinceMs: number; readonly isAlive: boolean }

/**
 * As `acquireLease`, without waiting. Each attempt takes the lease if it is free or if its holder died on this machine. It also takes
 * it from a holder elsewhere whose record has not changed for its time to live. Time in which the store did not answer does not count,
 * because the holder could not renew the lease then.
 */
export const createLeaseSeeker = ({ lockPath, ...options }: AcquireLeaseOptions): LeaseSeeker => {
  const deps = { ...leaseTimes, ...options }
  const { store, clock, log, worldName, holder } = deps
  let watched: Watched | undefined
  let answeredAtMs = clock.monotonic()
  let isBlind = false

  const watch = (stored: StoredRecord<LeaseRecord>): Watched => {
    if (watched?.version === stored.version) return watched
    watched = { version: stored.version, sinceMs: clock.monotonic(), isAlive: watched !== undefined }
    return watched
  }

  const read = async () => {
    const readAtMs = clock.monotonic()
    try {
      const stored = await store.get(leaseRecords, worldName)
      if (isBlind && watched !== undefined) watched = { ...watched, sinceMs: watched.sinceMs + readAtMs - answeredAtMs }
      isBlind = false
      answeredAtMs = readAtMs
      return { stored, readAtMs }
    } catch (error) {
      isBlind = true
      throw error
    }
  }

  /** Undefined while the holder may be alive. */
  const findVacancy = (stored: StoredRecord<LeaseRecord> | undefined, readAtMs: number): Vacancy | undefined => {
    const last = stored?.value.holder
    if (stored === undefined || last === undefined) return vacancyOf(stored)
    if (last.machineId !== holder.machineId && readAtMs < watch(stored).sinceMs + last.ttlMs) return undefined
    log.warn({ world: worldName, holder: last.name }, 'the last holder of the world ended without releasing it')
    return vacancyOf(stored)
  }

  const take = async (): Promise<TakenLease | HeldWorld> => {
    const { stored, readAtMs } = await read()
    const vacancy = findVacancy(stored, readAtMs)
    const holderName = stored?.value.holder?.name
    if (vacancy === undefined) return { holderName, isAlive: watched?.isAlive ?? false }
    try {
      return await writeLease(deps, vacancy)
    } catch (error) {
      if (error instanceof AppError && error.slug === 'world-held') return { holderName: undefined, isAlive: false }
      throw error
    }
  }

  return {
    seek: async () => {
      const lock = holdFileLock(lockPath)
      if (lock === undefined) return { holderName: (await store.get(leaseRecords, worldName))?.value.holder?.name, isAlive: true }
      try {
        const result = await take()
        if ('record' in result) return { lease: keepLease({ ...deps, freeLock: lock.release }, result) }
        lock.release()
        return result
      } catch (error) {
        lock.release()
        throw error
      }
    },
  }
}
