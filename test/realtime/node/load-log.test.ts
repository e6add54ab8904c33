import { beforeEach, describe, expect, it } from '@jest/globals'
import { createTraffic, type TickObserver } from '../../../realtime/metrics/realtime-metrics.ts'
import { createLoadLog } from '../../../realtime/node/load-log.ts'
import { createLog } from '../../../shared/kernel/log.ts'
import { createFixedClock, type FixedClock } from '../../support/time/fixed-clock.ts'

describe('lines of load', () => {
  let clock: FixedClock
  let lines: Record<string, unknown>[]
  let settings: { maxSessions: number; tickRate: number }
  let metrics: TickObserver

  beforeEach(() => {
    clock = createFixedClock()
    lines = []
    settings = { maxSessions: 400, tickRate: 20 }
    const log = createLog('info', 'test', { write: (line: string) => lines.push(JSON.parse(line)) })
    metrics = createLoadLog({ clock, log, everySeconds: 60, settings: () => settings })
  })

  const haveSessions = (connected: number, detached: number) =>
    metrics.watch({
      tickRate: 20,
      lease: { fence: 1, isHeld: () => true, sinceRenewalMs: () => 0 },
      state: () => ({
        sessions: { connected, detached },
        feeds: 0,
        columns: { loaded: 0, loading: 0, damaged: 0 },
        queues: { inbox: 0, work: 0, edits: 0, chunkWrites: 0, terrainWrites: 0, places: 0 },
      }),
    })

  const tick = (times: number, intervalMs: number) => {
    for (let n = 0; n < times; n++) {
      clock.advance(intervalMs)
      metrics.observeTick(0.001, intervalMs / 1000, createTraffic())
    }
  }

  it('are written once a minute, with the sessions and the number of late ticks', () => {
    haveSessions(37, 3)
    tick(1190, 50)
    expect(lines).toEqual([])
    tick(5, 100)
    expect(lines).toMatchObject([
      { msg: 'load', level: 30, sessions: 40, maxSessions: 400, sessionsPercent: 10, ticks: 1195, lateTicks: 5 },
    ])
    expect(lines[0]).toMatchObject({ lateTicksPercent: 0.4 })
    tick(1200, 50)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatchObject({ lateTicks: 0, lateTicksPercent: 0 })
  })

  it('keep their interval however fast ticks are, and follow the current settings', () => {
    haveSessions(100, 0)
    tick(50_000, 1)
    expect(lines).toEqual([])
    settings = { maxSessions: 200, tickRate: 20 }
    tick(10_000, 1)
    expect(lines).toMatchObject([{ sessionsPercent: 50, maxSessions: 200 }])
  })
})
