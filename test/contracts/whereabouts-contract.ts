import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Whereabouts } from '../../shared/domain/presence/whereabouts.ts'

/** Opens empty whereabouts. */
type OpenWhereabouts = () => Promise<{ readonly whereabouts: Whereabouts; readonly close: () => Promise<void> }>

/** What every Whereabouts promises. */
export const whereaboutsContract = (name: string, open: OpenWhereabouts) => {
  describe(`Whereabouts on ${name}`, () => {
    let whereabouts: Whereabouts
    let close: () => Promise<void>
    beforeEach(async () => {
      const opened = await open()
      whereabouts = opened.whereabouts
      close = opened.close
    })
    afterEach(() => close())

    const enter = async (nodeId: string, playerId: string) => {
      const [entry] = await whereabouts.enter(nodeId, [playerId])
      if (entry === undefined) throw new Error('no entry')
      return entry
    }

    it('answers an entry for each player, in the order asked, however many', async () => {
      const playerIds = Array.from({ length: 1201 }, (_, at) => `player ${at}`)
      const entries = await whereabouts.enter('one', playerIds)
      expect(entries.map(({ playerId }) => playerId)).toEqual(playerIds)
      expect(entries.every(({ nodeId, at }) => nodeId === 'one' && Number.isSafeInteger(at) && at > 0)).toBe(true)
      expect(await whereabouts.renew(entries)).toEqual([])
    })

    it('makes each entry of a player later than all before, whichever node enters', async () => {
      const ats: number[] = []
      for (let turn = 0; turn < 50; turn += 1) ats.push((await enter(turn % 2 === 0 ? 'one' : 'other', 'ann')).at)
      expect(ats).toEqual([...new Set(ats)].sort((a, b) => a - b))
    })

    it('tells the node of before who connected elsewhere since, and the node of now nothing', async () => {
      const before = await whereabouts.enter('one', ['ann', 'bob'])
      const now = await enter('other', 'ann')
      expect(await whereabouts.renew(before)).toEqual([now])
      expect(await whereabouts.renew([now])).toEqual([])
    })

    it('tells which connections are by unverified sign-ins, and forgets those as well', async () => {
      const old = await whereabouts.enter('one', ['ann', 'bob'])
      const now = await whereabouts.enter('other', ['ann', 'bob'], new Set(['bob']))
      expect(now).toMatchObject([{ playerId: 'ann' }, { playerId: 'bob', unverified: true }])
      expect(now[0]).not.toHaveProperty('unverified')
      expect(await whereabouts.renew(old)).toEqual(now)
      expect(await whereabouts.renew(now)).toEqual([])
      await whereabouts.leave('other', ['ann', 'bob'])
      expect(await whereabouts.renew(old)).toEqual([])
    })

    it('forgets those who leave, but not those who connected elsewhere meanwhile', async () => {
      const old = await enter('one', 'ann')
      const now = await enter('other', 'ann')
      await whereabouts.leave('one', ['ann', 'nobody'])
      expect(await whereabouts.renew([old])).toEqual([now])
      await whereabouts.leave('other', ['ann'])
      expect(await whereabouts.renew([old])).toEqual([])
    })

    it('takes a renewed entry as it was, so that an older one finds out', async () => {
      const old = await enter('one', 'ann')
      const now = await enter('other', 'ann')
      await whereabouts.leave('other', ['ann'])
      expect(await whereabouts.renew([old])).toEqual([])
      expect(await whereabouts.renew([now])).toEqual([])
      expect(await whereabouts.renew([old])).toEqual([now])
    })

    it('asks nothing for nobody', async () => {
      expect(await whereabouts.enter('one', [])).toEqual([])
      await whereabouts.leave('one', [])
      expect(await whereabouts.renew([])).toEqual([])
    })
  })
}
