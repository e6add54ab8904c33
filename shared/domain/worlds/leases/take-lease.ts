import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LeaseHolder } from '../../../platform/process/lease-holder.ts'
import type { Precondition, Store, StoredRecord, Version } from '../../../platform/storage/store.ts'
import { type LeaseRecord, leaseRecords } from './lease-record.ts'

export type TakeLeaseDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'monotonic'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  readonly worldName: string
  /** The new holder. `machineId` is the same for all processes that share the lock. */
  readonly holder: LeaseHolder
  readonly ttlMs: number
  /** How often to check whether another holder is alive. */
  readonly beatMs: number
}

/** A lease that was just written. */
export type TakenLease = {
  readonly record: LeaseRecord & { readonly holder: NonNullable<LeaseRecord['holder']> }
  readonly version: Version
  /** On the monotonic clock, from before the write. */
  readonly takenMs: number
}

type Stored = StoredRecord<LeaseRecord> | undefined

/** The state that the next holder builds on. */
export type Vacancy = Required<Precondition> & { readonly lastFence: number }

export const worldHeld = (worldName: string, holderName: string | undefined): AppError =>
  new AppError(
    'conflict',
    'world-held',
    `The world "${worldName}" is held by ${holderName ?? 'another process on this machine'}. Stop that process first, or wait until it has ended.`,
  )

/** The vacancy that `stored` leaves for the next holder. */
export const vacancyOf = (stored: Stored, lastFence = 0): Vacancy => ({
  ifVersion: stored?.version ?? null,
  lastFence: Math.max(lastFence, stored?.value.fence ?? 0),
})

/**
 * Waits to see whether the holder is alive. Clocks of machines differ, so the record has no time. A live holder changes the version of
 * its record. A holder is dead if its record does not change for its time to live, by the observer's clock.
 */
const outwaitHolder = async (deps: TakeLeaseDeps, first: StoredRecord<LeaseRecord>): Promise<Vacancy> => {
  const { store, clock, log, worldName, beatMs } = deps
  const { ttlMs = 0, name } = first.value.holder ?? {}
  log.warn({ world: worldName, holder: name, ttlMs }, 'the world has a holder on another machine; checking whether it is alive')
  const deadAtMs = clock.monotonic() + ttlMs
  for (;;) {
    await pause(beatMs)
    const readAtMs = clock.monotonic()
    const now = await store.get(leaseRecords, worldName)
    if (now?.value.holder === undefined) return vacancyOf(now, first.value.fence)
    if (now.version !== first.version) throw worldHeld(worldName, now.value.holder.name)
    if (readAtMs >= deadAtMs) return vacancyOf(now)
  }
}

const findVacancy = async (deps: TakeLeaseDeps): Promise<Vacancy> => {
  const { store, log, worldName, holder } = deps
  const stored = await store.get(leaseRecords, worldName)
  const last = stored?.value.holder
  if (stored === undefined || last === undefined) return vacancyOf(stored)
  if (last.machineId !== holder.machineId) return outwaitHolder(deps, stored)
  log.warn({ world: worldName, holder: last.name }, 'the last holder of the world ended without releasing it')
  return vacancyOf(stored)
}

/** Writes the lease for `holder`. Throws AppError `conflict`, slug `world-held`, if another process was faster. */
export const writeLease = async (
  { store, clock, ids, worldName, holder, ttlMs }: TakeLeaseDeps,
  { ifVersion, lastFence }: Vacancy,
): Promise<TakenLease> => {
  const takenMs = clock.monotonic()
  const record = { fence: lastFence + 1, holder: { ...holder, leaseId: ids.uuid(), ttlMs } }
  try {
    return { record, takenMs, version: await store.put(leaseRecords, worldName, record, { ifVersion }) }
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'conflict')) throw error
    const stored = await store.get(leaseRecords, worldName)
    const winner = stored?.value.holder
    // The write succeeded, but its answer was lost.
    if (stored !== undefined && winner?.leaseId === record.holder.leaseId) return { record, takenMs, version: stored.version }
    throw worldHeld(worldName, winner?.name)
  }
}

/**
 * Writes the lease for `holder`, which has the world's lock on its machine. Does so at once if the lease is free, or if the last holder
 * was on the same machine and must be dead. Otherwise waits until the lease expires. Throws AppError `conflict`, slug `world-held`,
 * with the name of a live holder.
 */
export const takeLease = async (deps: TakeLeaseDeps): Promise<TakenLease> => writeLease(deps, await findVacancy(deps))
