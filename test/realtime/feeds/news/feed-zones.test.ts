import { expect, it } from '@jest/globals'
import { createFeedZones } from '../../../../realtime/feeds/news/feed-zones.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createCapturedLog } from '../../../support/time/silent-log.ts'
import { createStoredZones, createZone } from '../../../support/zones/stored-zones.ts'

it('an unreadable zone does not block other feeds from noticing a change after a lost event', async () => {
  const { log, lines } = createCapturedLog()
  const store = createMemoryStore()
  const stored = createStoredZones(store)
  const zones = [createZone({ name: 'broken' }), createZone({ name: 'beside' }), createZone({ name: 'far', world: 'other' })]
  for (const zone of zones) await stored.put(zone)
  const read: string[] = []
  const feedZones = createFeedZones({
    store,
    events: createMemoryEventBus({ log }),
    log,
    accountStore: { findByPlayerId: async () => undefined },
    feeds: { zones: () => zones, onOpened: () => () => {}, zoneRead: (_id, zone) => read.push(zone?.name ?? 'gone') },
  })
  await store.put({ name: 'zones', parse: (value) => value }, zones[0]?.id ?? '', { world: 'default' })
  await feedZones.check()
  expect(read).toEqual(['beside', 'far'])
  expect(lines).toContainEqual(expect.objectContaining({ level: 40 }))
  await feedZones.check()
  expect(read).toEqual(['beside', 'far', 'beside'])
})
