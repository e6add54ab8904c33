import { type Static, Type } from '@sinclair/typebox'
import { isOver, worldPlace } from '../../shared/domain/jobs/job.ts'
import type { JobActor, JobService } from '../../shared/domain/jobs/job-service.ts'
import { parseRestoreInput, restoreJob, restoreName } from '../../shared/domain/jobs/snapshot-jobs.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { createLocalClocks } from '../../shared/domain/zones/local-clocks.ts'
import { nextResetAt, resetPeriodOf } from '../../shared/domain/zones/reset-times.ts'
import type { ZoneSnapshots } from '../../shared/domain/zones/snapshots/zone-snapshots.ts'
import type { ZoneReset } from '../../shared/domain/zones/zone.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createCollection, type Store, type Version } from '../../shared/platform/storage/store.ts'
import type { GameZone } from './game-zone.ts'
import type { GameZones } from './game-zones.ts'

/** The next reset of a zone, the last job, and the schedule that they are based on. */
const NextReset = ClosedObject({
  snapshot: Type.String(),
  every: Type.String(),
  nextAt: Type.Integer(),
  job: Type.Optional(Type.String()),
})
type NextReset = Static<typeof NextReset>

/** By zone. */
const nextResets = createCollection('zone-resets', NextReset)

/** The zone must have been empty for this long. */
const emptyMs = 30_000
/** After this time the reset starts even if players are inside. */
const patienceMs = 600_000

/** A connected player, by position. */
type Standing = { readonly position: { readonly x: number; readonly y: number; readonly z: number } }

export type ResetZonesDeps = {
  readonly gameZones: Pick<GameZones, 'list'>
  readonly players: () => readonly Standing[]
  readonly world: Pick<WorldRecord, 'id' | 'name'>
  readonly snapshots: Pick<ZoneSnapshots, 'get'>
  readonly jobs: Pick<JobService, 'start' | 'getJob' | 'listOpen'>
  readonly store: Pick<Store, 'get' | 'put' | 'delete'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

type Known = { readonly next: NextReset; readonly version: Version }
/** A reset that waits for players to leave: since when, and since when the zone is empty. */
type Wait = { readonly sinceMs: number; emptySinceMs: number }
type ResettingZone = GameZone & { readonly reset: ZoneReset }

const isInside = ({ box, chunks, yMin, yMax }: GameZone, { position }: Standing): boolean => {
  const [cx, cz, y] = [Math.floor(position.x / 16), Math.floor(position.z / 16), Math.floor(position.y)]
  if (cx < box.minCx || cx > box.maxCx || cz < box.minCz || cz > box.maxCz || y < yMin || y > yMax) return false
  return chunks.some((chunk) => chunk.cx === cx && chunk.cz === cz)
}

const isMissing = (error: unknown): boolean => error instanceof AppError && error.kind === 'not-found'

/**
 * Resets zones that are due, as jobs by `system`, when they are empty or the wait is too long. The next reset is stored, and a
 * missed reset runs once. `sweep` never rejects.
 */
export const createZoneResets = (deps: ResetZonesDeps): { sweep(): Promise<void> } => {
  const { gameZones, players, world, snapshots, jobs, store, clock, ids, log } = deps
  const clocks = createLocalClocks()
  const known = new Map<string, Known>()
  const waits = new Map<string, Wait>()
  const failing = new Set<string>()

  const keep = async (id: string, next: NextReset, ifVersion: Version | null): Promise<Known> => {
    const kept = { next, version: await store.put(nextResets, id, next, { ifVersion }) }
    known.set(id, kept)
    return kept
  }

  /** Counts from now if the schedule is new. */
  const findNext = async (zone: ResettingZone): Promise<Known> => {
    const { id, reset } = zone
    const every = resetPeriodOf(zone)
    const stored = known.get(id) ?? (await store.get(nextResets, id))
    const found = stored && ('next' in stored ? stored : { next: stored.value, version: stored.version })
    if (found?.next.snapshot === reset.snapshot && found.next.every === every) {
      known.set(id, found)
      return found
    }
    const nextAt = nextResetAt(clocks, every, { fromMs: clock.now(), nowMs: clock.now() })
    return keep(id, { snapshot: reset.snapshot, every, nextAt }, found?.version ?? null)
  }

  const mustWait = (zone: ResettingZone): boolean => {
    const nowMs = clock.now()
    const wait = waits.get(zone.id) ?? { sinceMs: nowMs, emptySinceMs: nowMs }
    waits.set(zone.id, wait)
    if (players().some((player) => isInside(zone, player))) wait.emptySinceMs = nowMs
    return nowMs - wait.emptySinceMs < emptyMs && nowMs - wait.sinceMs < patienceMs
  }

  const isUnderWay = async (job: string | undefined): Promise<boolean> => {
    if (job === undefined) return false
    try {
      return !isOver(await jobs.getJob(job))
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** A job that was started but not recorded, because the process ended or the write failed. */
  const findStarted = async ({ id, reset }: ResettingZone): Promise<string | undefined> => {
    const open = await jobs.listOpen(worldPlace(world.id))
    return open.find(({ kind, by, input }) => {
      const parsed = parseRestoreInput(input)
      const isOfZone = parsed.ok && parsed.value.zone === id && parsed.value.snapshot === reset.snapshot
      return kind === restoreName && by === 'system' && isOfZone
    })?.id
  }

  const startReset = async ({ id, reset }: ResettingZone): Promise<string> => {
    const actor: JobActor = { email: 'system', playerId: 'system', via: 'cli', requestId: ids.uuid() }
    const snapshot = await snapshots.get(id, reset.snapshot).catch((error: unknown) => {
      // The job will then fail and report it.
      if (isMissing(error)) return { id: reset.snapshot, name: 'a deleted snapshot' }
      throw error
    })
    return (await jobs.start(actor, restoreJob({ world, zone: { id } }, snapshot))).id
  }

  const lookAt = async (zone: ResettingZone): Promise<void> => {
    const { next, version } = await findNext(zone)
    if (clock.now() < next.nextAt || (await isUnderWay(next.job)) || mustWait(zone)) return
    const job = (await findStarted(zone)) ?? (await startReset(zone))
    waits.delete(zone.id)
    const nextAt = nextResetAt(clocks, next.every, { fromMs: next.nextAt, nowMs: clock.now() })
    await keep(zone.id, { ...next, nextAt, job }, version)
  }

  /** A schedule that is added again later starts from zero. */
  const forget = async (isThere: ReadonlySet<string>): Promise<void> => {
    for (const id of known.keys())
      if (!isThere.has(id)) {
        known.delete(id)
        waits.delete(id)
        await store.delete(nextResets, id)
      }
  }

  const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      failing.delete(id)
    } catch (error) {
      known.delete(id)
      if (!failing.has(id)) log.warn({ err: error, zoneId: id }, 'a zone could not be reset; retrying')
      failing.add(id)
    }
  }

  return {
    sweep: async () => {
      const zones = [...gameZones.list()].flatMap(({ reset, ...zone }) => (reset === undefined ? [] : [{ ...zone, reset }]))
      for (const zone of zones) await attempt(zone.id, () => lookAt(zone))
      await attempt(worldPlace(world.id), () => forget(new Set(zones.map(({ id }) => id))))
    },
  }
}
