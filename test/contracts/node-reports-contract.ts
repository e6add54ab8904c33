import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'

/** Opens a store without reports. */
type OpenReports = () => Promise<{ readonly reports: NodeReports; readonly close: () => Promise<void> }>

/** What every NodeReports promises. */
export const nodeReportsContract = (name: string, open: OpenReports) => {
  describe(`NodeReports on ${name}`, () => {
    let reports: NodeReports
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ reports, close } = await open())
    })
    afterEach(() => close())

    it('have the last word of each node, by its id, whatever the text', async () => {
      expect(await reports.list('players')).toEqual([])
      await reports.tell('players', 'two', 'of before')
      await reports.tell('players', 'two', '12 [] \n"é"')
      await reports.tell('players', 'one', '')
      expect(await reports.list('players')).toEqual([
        { nodeId: 'one', text: '' },
        { nodeId: 'two', text: '12 [] \n"é"' },
      ])
      expect(await reports.list('metrics')).toEqual([])
    })

    it('forget a node that withdrew, and only what it withdrew', async () => {
      await reports.tell('players', 'one', 'a')
      await reports.tell('metrics', 'one', 'b')
      await reports.withdraw('players', 'one')
      await reports.withdraw('players', 'nobody')
      expect(await reports.list('players')).toEqual([])
      expect(await reports.list('metrics')).toEqual([{ nodeId: 'one', text: 'b' }])
    })
  })
}
