import { expect, it } from '@jest/globals'
import { createReportService } from '../../../../shared/domain/sanctions/reports/report-service.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const ada = { email: 'ada@example.com', playerId: 'a' }
const bob = { email: 'bob@example.com', playerId: 'b' }
const report = { text: 'He broke my house', place: { world: 'default', x: 0, y: 64, z: 0 }, lastChat: [] }
const limited = expect.objectContaining({ kind: 'limited', slug: 'too-many-requests' })

it('accepts three reports per player in ten minutes, across all processes', async () => {
  const store = createMemoryStore()
  const clock = createFixedClock()
  const [one, other] = [
    createReportService({ store, clock, ids: systemIds }),
    createReportService({ store, clock, ids: systemIds }),
  ]
  const results = await Promise.allSettled(Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? one : other).file(ada, report)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect((await one.listReports({ limit: 200 })).reports).toHaveLength(3)
  await expect(other.checkLimit(ada.playerId)).rejects.toEqual(limited)
  await other.file(bob, report)
  clock.advance(599_999)
  await expect(one.file(ada, report)).rejects.toEqual(limited)
  clock.advance(1)
  await one.file(ada, report)
})

it('refuses a text that a terminal cannot show', async () => {
  const reports = createReportService({ store: createMemoryStore(), clock: createFixedClock(), ids: systemIds })
  await expect(reports.file(ada, { ...report, text: '\u001b[2J' })).rejects.toMatchObject({ kind: 'invalid' })
})

it('accepts a report after earlier ones were made with a clock an hour ahead', async () => {
  const store = createMemoryStore()
  const [right, ahead] = [createFixedClock(), createFixedClock()]
  ahead.advance(3_600_000)
  for (let n = 0; n < 3; n += 1) await createReportService({ store, clock: ahead, ids: systemIds }).file(ada, report)
  await createReportService({ store, clock: right, ids: systemIds }).file(ada, report)
})
