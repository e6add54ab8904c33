import { describe, expect, it } from '@jest/globals'
import { createKickLink } from '../../../realtime/node-links/kick-link.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('a kick of a player of another node', () => {
  const open = async (events: EventBus, nodeId: string, players: readonly string[]) => {
    const kicked: string[] = []
    const link = createKickLink({ nodeId, events, ids: systemIds })
    const stop = await link.start(async (playerId, reason) => {
      if (!players.includes(playerId)) return false
      kicked.push(`${playerId}: ${reason}`)
      return true
    })
    return { ...link, kicked, stop }
  }
  const scene = async () => {
    const events = createMemoryEventBus({ log: silentLog })
    return { here: await open(events, 'here', ['ann']), there: await open(events, 'there', ['ben']) }
  }

  it('is answered only by the node of that player, including the node that sends it', async () => {
    const { here, there } = await scene()
    const answers = await Promise.all(['ann', 'ben', 'nobody'].map((playerId) => here.kick(playerId, 'rude')))
    expect(answers).toEqual([true, true, false])
    expect([here.kicked, there.kicked]).toEqual([['ann: rude'], ['ben: rude']])
  })

  it('is cancelled at once when the sending node stops', async () => {
    const { here } = await scene()
    let answer: boolean | undefined
    void here.kick('nobody', 'rude').then((wasKicked) => {
      answer = wasKicked
    })
    here.stop()
    await waitFor(() => answer === false)
  })
})
