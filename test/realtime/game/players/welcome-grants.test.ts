import { expect, it } from '@jest/globals'
import { openFakeClient } from '../../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

it('lists active grants of the player in Welcome, with their end', async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const account = await fixture.addAccount('ada', ['player'])
  const inMinutes = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString()
  const given = { by: 'operator', at: account.createdAt, reason: 'secret' }
  const inAnHour = inMinutes(60)
  const grants = [
    { id: 'over', group: 'player', until: inMinutes(-1), ...given },
    { id: 'hour', group: 'player', until: inAnHour, ...given },
    { id: 'town', permission: 'zone.build', world: 'default', ...given },
  ]
  await fixture.accountStore.change(account.email, (current) => ({ result: undefined, next: current && { ...current, grants } }))
  const client = openFakeClient(fixture)
  client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', token: await fixture.signIn(account) } })
  await waitFor(fixture.loop.isIdle)
  clock.advance(50)
  fixture.loop.tick(clock.monotonic())
  expect(client.find('welcome')?.grants).toEqual([
    { id: 'hour', group: 'player', until: inAnHour },
    { id: 'town', permission: 'zone.build', world: 'default' },
  ])
  client.connection.ended()
  await fixture.world.close()
})
