import { beforeEach, describe, expect, it } from '@jest/globals'
import { createDisplacement, type DisplacedHere, type Displacement } from '../../../realtime/node-links/displacement.ts'
import type { Entry, Whereabouts } from '../../../shared/domain/presence/whereabouts.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { silentLog } from '../../support/time/silent-log.ts'

describe('the session of a player who connects to several nodes', () => {
  /** Requested entries, in order; a test answers each. */
  let asked: { readonly playerIds: readonly string[]; answer(at: number): Promise<void>; fail(): Promise<void> }[]
  let renewed: (readonly Entry[])[]
  let left: (readonly string[])[]
  let displaced: string[]
  let told: string[]
  let sessions: Map<string, 'connected' | 'waiting'>
  let displacement: Displacement
  let isHeld: boolean
  const here: DisplacedHere = {
    findSession: (playerId) => sessions.get(playerId),
    displace: (playerId) => void displaced.push(playerId),
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  beforeEach(() => {
    asked = []
    renewed = []
    left = []
    displaced = []
    isHeld = true
    sessions = new Map([['ann', 'connected']])
    const whereabouts: Whereabouts = {
      enter: (nodeId, playerIds) =>
        new Promise((resolve, reject) => {
          const answer = (at: number) => {
            resolve(playerIds.map((playerId) => ({ playerId, nodeId, at })))
            return settled()
          }
          const fail = () => {
            reject(new Error('away'))
            return settled()
          }
          asked.push({ playerIds, answer, fail })
        }),
      leave: async (_nodeId, playerIds) => void left.push(playerIds),
      renew: async (entries) => {
        renewed.push(entries)
        return []
      },
    }
    const toldNow: string[] = []
    told = toldNow
    const events = createMemoryEventBus({ log: silentLog })
    void events.subscribe('player-connected', ({ playerId }) => void toldNow.push(playerId))
    displacement = createDisplacement({
      nodeId: 'here',
      whereabouts,
      isHeld: () => isHeld,
      log: silentLog,
      events,
    })
    displacement.start(here, 3_600_000)()
  })

  /** Connects Ann here; her entry has that `at`. */
  const enter = async (at: number) => {
    displacement.enter('ann')
    await settled()
    await asked.at(-1)?.answer(at)
  }
  const hear = (at: number, nodeId = 'there') => displacement.hear({ playerId: 'ann', nodeId, at })

  it('ends for a later connection elsewhere only', async () => {
    await enter(5)
    hear(4)
    hear(5)
    hear(9, 'here')
    expect(displaced).toEqual([])
    hear(6)
    expect(displaced).toEqual(['ann'])
  })

  it('stays for an unverified connection elsewhere, and is entered again, so that the other ends', async () => {
    await enter(5)
    displacement.hear({ playerId: 'ann', nodeId: 'there', at: 6, unverified: true })
    await settled()
    expect([displaced, asked.length]).toEqual([[], 2])
    await asked.at(-1)?.answer(7)
    // An earlier one, and one of a player who has left.
    displacement.hear({ playerId: 'ann', nodeId: 'there', at: 6, unverified: true })
    sessions.delete('ann')
    displacement.hear({ playerId: 'ann', nodeId: 'there', at: 8, unverified: true })
    await settled()
    expect([displaced, asked.length, told]).toEqual([[], 2, ['ann', 'ann']])
  })

  it('ends once its entry is known to be older than the newest connection elsewhere', async () => {
    displacement.enter('ann')
    await settled()
    hear(9)
    hear(2)
    expect(displaced).toEqual([])
    await asked[0]?.answer(5)
    expect(displaced).toEqual(['ann'])
  })

  it('continues when the player has returned here, whatever the result of the earlier entry', async () => {
    displacement.enter('ann')
    await settled()
    hear(6)
    displacement.enter('ann')
    await asked[0]?.answer(5)
    expect(displaced).toEqual([])
    await asked[1]?.answer(7)
    hear(6)
    expect(displaced).toEqual([])
  })

  it('ends when it is from before this node ran the world', () => {
    hear(1)
    expect(displaced).toEqual(['ann'])
  })

  it('is no longer entered after the player left, and is then forgotten', async () => {
    displacement.enter('ann')
    displacement.leave('ann')
    await settled()
    expect([asked, left]).toEqual([[], [['ann']]])
    sessions.clear()
    await displacement.check(here)
    sessions.set('ann', 'connected')
    await displacement.check(here)
    expect([asked, renewed.flat()]).toEqual([[], []])
  })

  it('ends with the next check when its entry failed and a later connection elsewhere exists', async () => {
    displacement.enter('ann')
    await settled()
    await asked[0]?.fail()
    hear(6)
    await displacement.check(here)
    expect([displaced, asked.length]).toEqual([['ann'], 1])
  })

  it('is not entered a second time by a check while its entry is in flight', async () => {
    displacement.enter('ann')
    await settled()
    void displacement.check(here)
    await settled()
    hear(6)
    await asked[0]?.answer(5)
    expect([displaced, asked.length]).toEqual([['ann'], 1])
  })

  it('is neither entered nor announced by a node that lost its world: the next node keeps it', async () => {
    isHeld = false
    displacement.enter('ann')
    await settled()
    await displacement.check(here)
    expect([asked, renewed, told]).toEqual([[], [], []])
    isHeld = true
    void displacement.check(here)
    await settled()
    expect(asked.map(({ playerIds }) => playerIds)).toEqual([['ann']])
    isHeld = false
    await asked[0]?.answer(5)
    expect(told).toEqual([])
  })

  it('is entered by a check while its player is connected, and not during the resume window', async () => {
    displacement.enter('ann')
    displacement.leave('ann')
    await settled()
    sessions.set('ann', 'waiting')
    await displacement.check(here)
    expect(asked).toEqual([])
    sessions.set('ann', 'connected')
    void displacement.check(here)
    await settled()
    expect(asked.map(({ playerIds }) => playerIds)).toEqual([['ann']])
  })
})
