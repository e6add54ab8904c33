import { AppError } from '../../../kernel/errors.ts'
import { holdFileLock } from '../../../platform/storage/files/file-lock.ts'
import type { StoredRecord, Version } from '../../../platform/storage/store.ts'
import { type AcquireLeaseOptions, leaseTimes } from './acquire-lease.ts'
import { keepLease } from './keep-lease.ts'
import { type LeaseRecord, leaseRecords } from './lease-record.ts'
import { type TakenLease, type Vacancy, vacancyOf, writeLease } from './take-lease.ts'
import type { WorldLease } from './world-lease.ts'

/** Somebody else has the world. */
export type HeldWorld = {
  /** Undefined: another process of this machine, which did not write its name yet. */
  readonly holderName: string | undefined
  /** Whether that one is known to live; one on another machine is once its record changed. */
  readonly isAlive: boolean
}

/** Looks for the lease of one world again and again, in no more time than a look takes. */
export type LeaseSeeker = {
  /** The lease, kept until `release`, where it can be had at this moment. Throws AppError `unavailable`. */
  seek(): Promise<{ readonly lease: WorldLease } | HeldWorld>
}

/** A record as it stands since it was seen first. */
type Watched = { readonly version: Version; readonly sinceMs: number; readonly isAlive: boolean }

/**
 * As `acquireLease`, for one who may wait. Each look takes the lease when nobody has it, or when its holder died on this machine. It also
 * takes it when the record of a holder elsewhere has not changed for its time to live since first seen. Time in which the store did not
 * answer does not count: its holder could not renew it then.
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

  /** Undefined while the holder may live. */
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
        const taken = await take()
        if ('record' in taken) return { lease: keepLease({ ...deps, freeLock: lock.release }, taken) }
        lock.release()
        return taken
      } catch (error) {
        lock.release()
        throw error
      }
    },
  }
}
