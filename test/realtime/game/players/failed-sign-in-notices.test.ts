import { expect, it } from '@jest/globals'
import { createFailedSignInLog } from '../../../../shared/domain/accounts/failed-sign-ins.ts'
import { openFakeClient } from '../../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

it('notifies a player of wrong passwords before a verified sign-in, once', async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, world, store } = fixture
  const ada = await fixture.addAccount('ada')
  const log = createFailedSignInLog({ store, clock })
  for (let failure = 0; failure < 3; failure += 1) await log.noteFailure(ada)
  await log.noteSuccess(ada.playerId, '192.0.2.1')

  const join = async (verified: boolean) => {
    const client = openFakeClient(fixture)
    const token = await fixture.signIn(ada, verified)
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', token } })
    for (let turn = 0; turn < 4; turn += 1) {
      await waitFor(loop.isIdle)
      clock.advance(50)
      loop.tick(clock.monotonic())
    }
    const notices = client.received.filter(({ $case }) => $case === 'notice').map(({ value }) => value)
    client.connection.ended()
    return notices
  }
  expect(await join(false)).toEqual([])
  expect(await join(true)).toEqual([
    expect.objectContaining({ kind: 'failed-sign-ins', text: expect.stringContaining('tried 3 times for your account') }),
  ])
  expect(await join(true)).toEqual([])
  await world.close()
})
