import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { reportPlayers } from '../../../realtime/node-links/report-players.ts'
import { createMemoryNodeReports } from '../../../shared/domain/node-reports/node-reports-memory.ts'
import { listOnlinePlayers, type ReportedPlayer } from '../../../shared/domain/players/online-players.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const playerOf = (name: string): ReportedPlayer => ({
  playerId: name,
  email: `${name}@example.com`,
  displayName: name,
  world: 'default',
  position: { x: 0, y: 64, z: 0, yaw: 0, pitch: 0 },
  since: '2026-01-01T00:00:00.000Z',
})

it('reports an arrival within a tenth of a second, and a rush of arrivals a few times', async () => {
  const nodeReports = createMemoryNodeReports({ clock: systemClock })
  let told = 0
  const counted: typeof nodeReports = {
    ...nodeReports,
    tell: (...report) => {
      told += 1
      return nodeReports.tell(...report)
    },
  }
  const players: ReportedPlayer[] = []
  const reports = reportPlayers({ nodeId: 'one', nodeReports: counted, clock: systemClock, log: silentLog }, () => players)
  const listed = async () => (await listOnlinePlayers(nodeReports)).length
  await waitFor(() => told === 1)
  const startMs = systemClock.monotonic()
  for (let at = 0; at < 300; at += 1) {
    players.push(playerOf(`p${at}`))
    reports.soon()
    if (at % 100 === 99) await sleep(1)
  }
  await waitFor(async () => (await listed()) === 300)
  // It is sent once a second anyway.
  if (systemClock.monotonic() - startMs < 900) expect(told).toBeLessThanOrEqual(4)
  await sleep(150)
  const quietMs = systemClock.monotonic()
  players.push(playerOf('late'))
  reports.soon()
  await sleep(20)
  if (systemClock.monotonic() - quietMs < 100) expect(await listed()).toBe(301)
  reports.stop()
  reports.soon()
  await waitFor(async () => (await listed()) === 0)
})
