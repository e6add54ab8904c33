import { expect, it } from '@jest/globals'
import { reportKinds } from '../../../../shared/domain/node-reports/node-reports.ts'
import { createMemoryNodeReports } from '../../../../shared/domain/node-reports/node-reports-memory.ts'
import { nodeReportsContract } from '../../../contracts/node-reports-contract.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

nodeReportsContract('memory', async () => ({
  reports: createMemoryNodeReports({ clock: createFixedClock() }),
  close: async () => undefined,
}))

it('forget a node that sends no reports', async () => {
  const clock = createFixedClock()
  const reports = createMemoryNodeReports({ clock })
  await reports.tell('players', 'one', 'a')
  clock.advance(reportKinds.players - 1)
  expect(await reports.list('players')).toHaveLength(1)
  clock.advance(1)
  expect(await reports.list('players')).toEqual([])
})
