import { expect, it } from '@jest/globals'
import { createRealtimeMetrics, withObserver } from '../../../realtime/metrics/realtime-metrics.ts'
import { createStepHistory, reportSteps } from '../../../realtime/metrics/step-history.ts'
import { dayStepsKept, stepsKept } from '../../../shared/domain/node-reports/day-records.ts'
import { createMemoryNodeReports } from '../../../shared/domain/node-reports/node-reports-memory.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const traffic = { messagesIn: 1, bytesIn: 10, framesOut: 2, bytesOut: 30 }
const queues = { inbox: 1, work: 2, edits: 3, chunkWrites: 4, terrainWrites: 5, places: 6 }

const fixture = () => {
  const clock = createFixedClock()
  const use = { cpuMicros: 0, memoryBytes: 1000 }
  const history = createStepHistory({ clock, readUse: () => ({ ...use }) })
  return { clock, use, history, metrics: withObserver(createRealtimeMetrics(), history.metrics) }
}

it('summarises the ticks of a step, counts overruns, and starts the next from zero', () => {
  const { clock, use, history, metrics } = fixture()
  metrics.watch({
    tickRate: 20,
    lease: { fence: 1, isHeld: () => true, sinceRenewalMs: () => 0 },
    state: () => ({
      sessions: { connected: 7, detached: 1 },
      feeds: 0,
      columns: { loaded: 0, loading: 0, damaged: 0 },
      queues,
    }),
  })
  for (let tick = 1; tick <= 100; tick += 1) metrics.observeTick(tick === 100 ? 0.06 : tick / 10_000, 0.05, traffic)
  use.cpuMicros = 2_500_000
  clock.advance(5000)
  history.step()
  clock.advance(5000)
  history.step()
  const [first, second] = history.list()
  expect(first).toEqual({
    at: new Date(clock.now() - 5000).toISOString(),
    sessions: 7,
    tick: { p50Ms: 5, p99Ms: 9.9 },
    overruns: 1,
    bytesIn: 1000,
    bytesOut: 3000,
    queues,
    memoryBytes: 1000,
    cpu: 0.5,
  })
  expect(second).toMatchObject({ tick: { p50Ms: 0, p99Ms: 0 }, overruns: 0, bytesIn: 0, bytesOut: 0, cpu: 0 })
})

it('keeps ten minutes, however long it runs and however fast it ticks', () => {
  const { clock, history, metrics } = fixture()
  for (let step = 0; step < stepsKept + 3; step += 1) {
    for (let tick = 0; tick < 1200; tick += 1) metrics.observeTick(0.001, 0.005, traffic)
    clock.advance(5000)
    history.step()
  }
  expect(history.list()).toHaveLength(stepsKept)
  expect(history.list().at(-1)).toMatchObject({ at: new Date(clock.now()).toISOString(), bytesIn: 12_000, sessions: 0 })
})

it('keeps a day in steps of two minutes, each with the highest values and the sum of counts', () => {
  const { clock, use, history, metrics } = fixture()
  const step = (tickMs: number): boolean => {
    metrics.observeTick(tickMs / 1000, 0.05, traffic)
    clock.advance(5000)
    return history.step()
  }
  use.memoryBytes = 2000
  step(40)
  use.memoryBytes = 1000
  for (let count = 0; count < 22; count += 1) expect(step(1)).toBe(false)
  expect(history.listDay()).toEqual([])
  expect(step(2)).toBe(true)
  expect(history.listDay()).toMatchObject([
    { at: new Date(clock.now()).toISOString(), tick: { p50Ms: 40, p99Ms: 40 }, bytesIn: 240, memoryBytes: 2000 },
  ])
  for (let count = 0; count < 24 * dayStepsKept; count += 1) step(1)
  expect(history.listDay()).toHaveLength(dayStepsKept)
})

it('continues the day of an earlier process, and reports it with the next step', () => {
  const { clock, history, metrics } = fixture()
  const before = fixture()
  const run = ({ clock: time, history: steps }: Pick<ReturnType<typeof fixture>, 'clock' | 'history'>, count: number) => {
    let isChanged = false
    for (let step = 0; step < count; step += 1) {
      time.advance(5000)
      isChanged = steps.step()
    }
    return isChanged
  }
  run(before, 24 * dayStepsKept)
  clock.advance(24 * dayStepsKept * 5000)
  history.restoreDay(before.history.listDay())
  expect(run({ clock, history }, 1)).toBe(true)
  expect(run({ clock, history }, 1)).toBe(false)
  metrics.observeTick(0.04, 0.05, traffic)
  expect(run({ clock, history }, 22)).toBe(true)
  expect(history.listDay()).toHaveLength(dayStepsKept)
  expect(history.listDay().slice(0, -1)).toEqual(before.history.listDay().slice(1))
  expect(history.listDay().at(-1)).toMatchObject({ tick: { p99Ms: 40 } })
  // Steps of another node after its own first step are left out.
  history.restoreDay(before.history.listDay().map((step) => ({ ...step, at: new Date(clock.now()).toISOString() })))
  expect(history.listDay()).toHaveLength(dayStepsKept)
  expect(run({ clock, history }, 1)).toBe(false)
})

it('removes the node when it ends', async () => {
  const { clock, history } = fixture()
  const reports = createMemoryNodeReports({ clock })
  await reports.tell('metrics', 'node', '[]')
  await reports.tell('day', 'node', '[]')
  const keep = async () => undefined
  await reportSteps({ nodeId: 'node', nodeReports: reports, keep, log: silentLog }, history)()
  expect(await reports.list('metrics')).toEqual([])
  expect(await reports.list('day')).toEqual([])
})
