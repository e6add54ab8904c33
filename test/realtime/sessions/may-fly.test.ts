import { afterEach, expect, it } from '@jest/globals'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const groupsWith = (...permissions: string[]) => ({
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'pilot', permissions },
  ],
  defaultGroups: ['player'],
})

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const createScene = () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  fixture.permissions.replace(groupsWith('world.fly'))
  ends.push(fixture.world.close)
  const tick = () => {
    clock.advance(50)
    fixture.loop.tick(clock.monotonic())
  }
  const join = async (name: string, groups: string[]) => {
    const token = await fixture.signIn(await fixture.addAccount(name, groups))
    const client = openFakeClient(fixture)
    ends.push(async () => client.connection.ended())
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', token } })
    await waitFor(fixture.loop.isIdle)
    tick()
    return client
  }
  return { ...fixture, tick, join }
}

it('sets mayFly in Welcome only for players with world.fly', async () => {
  const { join } = createScene()
  expect((await join('pilot', ['pilot'])).find('welcome')?.mayFly).toBe(true)
  expect((await join('walker', ['player'])).find('welcome')?.mayFly).toBeUndefined()
})

it('notifies the player at once when the permission is removed', async () => {
  const { join, tick, permissions, loop } = createScene()
  const pilot = await join('pilot', ['pilot'])
  permissions.replace(groupsWith())
  loop.accounts.groupsChanged()
  tick()
  expect(pilot.find('permissionsChanged')).toMatchObject({ groups: ['pilot'] })
  expect(pilot.find('permissionsChanged')?.mayFly).toBeUndefined()
})
