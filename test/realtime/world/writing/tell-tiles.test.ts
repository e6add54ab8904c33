import { afterEach, expect, it } from '@jest/globals'
import { createStoredTiles } from '../../../../realtime/world/writing/stored-tiles.ts'
import { tellTiles } from '../../../../realtime/world/writing/tell-tiles.ts'
import { createMemoryNodeReports } from '../../../../shared/domain/node-reports/node-reports-memory.ts'
import { createTileChanges } from '../../../../shared/domain/worlds/map/tile-changes.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const clock = systemClock
const log = silentLog
const worldId = 'w'
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const start = () => {
  const stored = createStoredTiles()
  const nodeReports = createMemoryNodeReports({ clock })
  const teller = tellTiles({ nodeId: 'n', worldId, stored, nodeReports, clock, log })
  stops.push(teller.close)
  const changes = createTileChanges({ nodeReports, clock, log })
  const follow = async () => {
    await waitFor(async () => {
      await changes.refresh()
      return changes.isFollowed(worldId)
    })
    return clock.monotonic()
  }
  const takeAll = async () => {
    let taken: ReturnType<typeof teller.take>
    await waitFor(() => {
      taken = teller.take()
      return taken !== undefined
    })
    return taken
  }
  return { stored, nodeReports, teller, changes, follow, takeAll }
}

it('lets the feed announce a tile only once every drawing process knows of it, at every zoom', async () => {
  const { stored, changes, follow, takeAll } = start()
  const knownMs = await follow()
  stored.note([{ cx: -1, cz: 3 }])
  expect(await takeAll()).toEqual([{ tx: -1, tz: 0 }])
  await changes.refresh()
  for (const zoom of [0, 1, 5]) expect(changes.changedAtMs(worldId, { zoom, tx: -1, tz: 0 })).toBeGreaterThan(knownMs)
  for (const zoom of [0, 5]) expect(changes.changedAtMs(worldId, { zoom, tx: 0, tz: 0 })).toBeLessThanOrEqual(knownMs)
  expect(changes.changedAtMs('another', { zoom: 0, tx: -1, tz: 0 })).toBe(Number.NEGATIVE_INFINITY)
})

it('reports all tiles of the world as changed when there are too many to name', async () => {
  const { stored, changes, follow, takeAll } = start()
  const knownMs = await follow()
  stored.note(Array.from({ length: 20_000 }, (_, at) => ({ cx: 16 * at, cz: 0 })))
  expect(await takeAll()).toBe('any')
  await changes.refresh()
  expect(changes.changedAtMs(worldId, { zoom: 0, tx: 7, tz: 7 })).toBeGreaterThan(knownMs)
})

it('follows neither removed nodes nor unreadable reports', async () => {
  const { nodeReports, teller, changes, follow } = start()
  await follow()
  teller.close()
  await waitFor(async () => {
    await changes.refresh()
    return !changes.isFollowed(worldId)
  })
  await nodeReports.tell('tiles', 'm', '{"worldId":5')
  await waitFor(async () => (await nodeReports.list('tiles')).length === 1)
  await changes.refresh()
  expect(changes.isFollowed(worldId)).toBe(false)
})
