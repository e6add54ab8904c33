import { expect, it } from '@jest/globals'
import {
  createDayRecords,
  dayStepSeconds,
  dayStepsKept,
  eraseDay,
  type NodeStep,
} from '../../../../shared/domain/node-reports/day-records.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createCapturedLog } from '../../../support/time/silent-log.ts'

const startMs = Date.parse('2026-11-27T00:00:00Z')
const worldId = '6e6f7468-0000-4000-8000-000000000001'
/** Any value, also a damaged one. */
const metricDays = { name: 'metric-days', parse: (stored: unknown) => stored }
const queues = { inbox: 0, work: 0, edits: 0, chunkWrites: 0, terrainWrites: 0, places: 0 }
const atMs = (number: number): number => startMs + number * dayStepSeconds * 1000
const stepAt = (number: number): NodeStep => ({
  at: new Date(atMs(number)).toISOString(),
  sessions: number,
  tick: { p50Ms: 1, p99Ms: 2 },
  overruns: 0,
  bytesIn: 0,
  bytesOut: 0,
  queues,
  memoryBytes: 1,
  cpu: 0,
})

const fixture = () => {
  const store = createMemoryStore()
  const { log, lines } = createCapturedLog()
  return { store, lines, days: createDayRecords(store, log) }
}

it('keeps one day of each world in a ring, and loads it oldest first', async () => {
  const { store, days } = fixture()
  for (let number = 0; number < dayStepsKept + 10; number += 1) await days.keep(worldId, stepAt(number))
  const last = dayStepsKept + 9
  const loaded = await days.load(worldId, atMs(last))
  expect(loaded.map(({ sessions }) => sessions)).toEqual(Array.from({ length: dayStepsKept }, (_, at) => at + 10))
  expect((await store.list(metricDays, { limit: 1000 })).records).toHaveLength(dayStepsKept)
  expect(await days.load('another-world', atMs(last))).toEqual([])
  expect(await days.load(worldId, atMs(last + 5))).toHaveLength(dayStepsKept - 5)
  await eraseDay(store, worldId)
  expect((await store.list(metricDays, { limit: 1000 })).records).toEqual([])
})

it('ignores a damaged record with a warning, and can be erased', async () => {
  const { store, days, lines } = fixture()
  await days.keep(worldId, stepAt(1))
  await store.commit([{ kind: 'put', collection: metricDays.name, id: `${worldId}/700`, value: { at: 'yesterday' } }])
  expect(await days.load(worldId, atMs(2))).toEqual([])
  expect(JSON.stringify(lines)).toContain('the metrics of the last day cannot be read')
  await eraseDay(store, worldId)
  expect(await days.load(worldId, atMs(2))).toEqual([])
})
