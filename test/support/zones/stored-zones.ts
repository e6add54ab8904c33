import { randomUUID } from 'node:crypto'
import { type Zone, zoneRecords } from '../../../shared/domain/zones/zone.ts'
import { noCounts, zoneCounts } from '../../../shared/domain/zones/zone-counts.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { putWrite, type Store } from '../../../shared/platform/storage/store.ts'

/** The zones that the counts of a world remember. */
export const recentMax = 64

const off = { enabled: false, flipped: false, pos: 0 }

/** A zone of the world `default` on the column 0,0 from 60 to 80, enabled. */
export const createZone = (parts: Partial<Zone> = {}): Zone => ({
  id: randomUUID(),
  name: 'Town',
  world: 'default',
  yMin: 60,
  yMax: 80,
  chunks: [{ cx: 0, cz: 0 }],
  enabled: true,
  clipPlanes: { x: off, y: off, z: off },
  shortcutBarPages: [],
  owner: 'nobody',
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...parts,
})

/** Writes zones as their service does, without its rules; without `events` no process is notified. */
export const createStoredZones = (store: Store, events?: EventBus) => {
  const tell = async ({ id, world }: Zone): Promise<void> => {
    await events?.publish('zones-changed', { world, zoneId: id })
  }
  const counts = async ({ id, world }: Zone) => {
    const value = (await store.get(zoneCounts, world))?.value ?? noCounts
    const { changes, recent } = value
    return putWrite(zoneCounts, world, { ...value, changes: changes + 1, recent: [...recent, id].slice(-recentMax) })
  }
  return {
    put: async (zone: Zone): Promise<Zone> => {
      await store.commit([putWrite(zoneRecords, zone.id, zone), await counts(zone)])
      await tell(zone)
      return zone
    },
    remove: async (zone: Zone): Promise<void> => {
      await store.commit([{ kind: 'delete', collection: zoneRecords.name, id: zone.id }, await counts(zone)])
      await tell(zone)
    },
  }
}
