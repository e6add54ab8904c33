import { afterEach, describe, expect, it } from '@jest/globals'
import { followReloads } from '../../../realtime/node/follow-reloads.ts'
import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { flatBlocks } from '../../support/worlds/flat-world.ts'

type Settings = Partial<ServerConfig['realtime']>

const groupsWith = (...permissions: string[]) => ({
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'tester', permissions },
  ],
  defaultGroups: ['player'],
})

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const createScene = (realtime: Settings) => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock, settings: realtime })
  const { loop, world, configs, permissions } = fixture
  configs.set({ blocks: flatBlocks, groups: groupsWith('game.join'), server: { realtime } })
  permissions.replace(configs.get('groups.yaml'))
  ends.push(world.close)
  const endReloads = followReloads({ configs, loop, server: { settingsChanged: () => {} } })
  ends.push(async () => endReloads())
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const connect = async (value: { token: string; resumeToken?: string }) => {
    const client = openFakeClient(fixture)
    ends.push(async () => client.connection.ended())
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', ...value } })
    await waitFor(loop.isIdle)
    tick()
    return client
  }
  const join = async (name: string, groups: string[]) =>
    connect({ token: await fixture.signIn(await fixture.addAccount(name, groups)) })
  return { ...fixture, tick, connect, join }
}

type Client = ReturnType<typeof openFakeClient>
const casesOf = ({ received }: Client) => received.map(({ $case }) => $case)

describe('realtime.admission', () => {
  it('admits all players by default', async () => {
    const { join } = createScene({})
    expect(casesOf(await join('ada', ['player']))).toContain('welcome')
  })

  it('admits only players with game.join if set to `permission`, and refuses others at once', async () => {
    const { join } = createScene({ admission: 'permission' })
    const [bob, ada] = [await join('bob', ['player', 'tester']), await join('ada', ['player'])]
    expect(casesOf(bob)).toContain('welcome')
    expect(ada.find('kick')).toMatchObject({
      code: 'not-admitted',
      reason: expect.stringContaining('Ask an admin to let you in'),
    })
    expect(casesOf(ada)).toEqual(['kick'])
    expect(ada.socket.closedWith).toBe(4003)
  })

  it('ends the session of a player who loses the permission, and refuses to resume it', async () => {
    const { join, connect, tick, permissions, loop, configs } = createScene({ admission: 'permission' })
    const [here, away] = [await join('here', ['tester']), await join('away', ['tester'])]
    const { resumeToken = '' } = away.find('welcome') ?? {}
    away.connection.ended()
    tick()
    configs.set({ blocks: flatBlocks, groups: groupsWith(), server: { realtime: { admission: 'permission' } } })
    permissions.replace(configs.get('groups.yaml'))
    loop.accounts.groupsChanged()
    tick()
    expect(here.find('kick')).toMatchObject({ code: 'not-admitted' })
    const back = await connect({ token: '', resumeToken })
    expect(casesOf(back)).toEqual(['kick'])
  })

  it('ends sessions without the permission when a reload activates it', async () => {
    const { join, tick, configs } = createScene({})
    const [ada, bob] = [await join('ada', ['player']), await join('bob', ['tester'])]
    configs.set({ blocks: flatBlocks, groups: groupsWith('game.join'), server: { realtime: { admission: 'permission' } } })
    tick()
    tick()
    expect(ada.find('kick')).toMatchObject({ code: 'not-admitted' })
    expect(bob.find('kick')).toBeUndefined()
  })
})

describe('realtime.motd', () => {
  it('is in each Welcome with its current text, and absent without one', async () => {
    const { join, configs } = createScene({})
    const quiet = await join('ada', [])
    configs.set({ blocks: flatBlocks, server: { realtime: { motd: 'Event at eight.' } } })
    const told = await join('bob', [])
    expect([quiet.find('welcome'), told.find('welcome')]).toMatchObject([{ motd: undefined }, { motd: 'Event at eight.' }])
  })
})
