import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { GameZones } from './game-zones.ts'

export type SweepZonesDeps = {
  readonly gameZones: Pick<GameZones, 'list'>
  readonly zones: Pick<ZoneService, 'getZone' | 'removeZone'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const hasExpired = (expiresAt: string | undefined, nowMs: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= nowMs

/** Deletes expired zones once. Never rejects. Expired zones are inactive even before that. */
export const sweepZones = async ({ gameZones, zones, clock, ids, log }: SweepZonesDeps): Promise<void> => {
  const expired = [...gameZones.list()].filter(({ expiresAt }) => hasExpired(expiresAt, clock.now()))
  for (const { id } of expired)
    try {
      const { zone, version } = await zones.getZone(id)
      // Its time may have been extended since.
      if (!hasExpired(zone.expiresAt, clock.now())) continue
      await zones.removeZone({ email: 'system', via: 'cli', requestId: ids.uuid() }, id, version)
    } catch (error) {
      const isOther = error instanceof AppError && ['not-found', 'stale', 'conflict'].includes(error.kind)
      if (!isOther) log.warn({ err: error, zoneId: id }, 'an expired zone could not be deleted; it is inactive')
    }
}
