import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Services } from '../../../shared/services/wire-services.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('nodes that hand over', () => {
  let house: Awaited<ReturnType<typeof openNodesOfWorld>>
  beforeEach(async () => {
    house = await openNodesOfWorld()
  })
  afterEach(() => house.close())

  it('keep all of many players at their last positions', async () => {
    const first = await house.start()
    const players: Awaited<ReturnType<typeof house.enter>>[] = []
    for (let at = 0; at < 40; at += 1) players.push(await house.enter(first, `player-${at}`))
    await waitFor(() => players.every(({ client }) => client.count('chunk') > 8))
    const stood = players.map(({ welcome }) => welcome.position as { readonly x: number; readonly z: number })
    for (const [at, { client }] of players.entries()) client.move((stood[at]?.x ?? 0) + (at + 1) / 64, stood[at]?.z ?? 0, 1)
    const positions = () =>
      first
        .live()
        ?.listPlayers()
        .filter(({ position }) => position.x % 1 !== 0.5).length
    await waitFor(() => positions() === players.length)
    await first.close()
    const next = await house.start()
    const places = new Map(
      next
        .live()
        ?.listPlayers()
        .map(({ playerId, position }) => [playerId, position.x]),
    )
    expect(players.map(({ playerId }) => places.get(playerId))).toEqual(stood.map(({ x }, at) => x + (at + 1) / 64))
  })

  it('leave the world free for others when the game cannot start in it', async () => {
    const { services } = house
    const broken: Services = {
      ...services,
      sessions: {
        ...services.sessions,
        openWorld: () => {
          throw new Error('broken')
        },
      },
    }
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    await expect(house.start({}, broken)).rejects.toThrow('broken')
    // No timers continue in a process that stays alive.
    await waitFor(() => timers() <= before)
    const standby = await house.start({ standby: true })
    expect(standby.live()).toBeDefined()
  })

  it('log a free world that a standby node cannot run, and leave it to others', async () => {
    const { services } = house
    const first = await house.start()
    const sessions = {
      ...services.sessions,
      openWorld: () => {
        throw new Error('broken')
      },
    }
    const broken = await house.start({ standby: true }, { ...services, sessions })
    const faults: string[] = []
    broken.onFault((fault) => faults.push(fault))
    await first.close()
    await waitFor(() => faults.length > 0)
    expect(faults).toEqual(['the world that became free cannot be run'])
    await broken.close()
    expect((await house.start()).live()).toBeDefined()
  })
})
