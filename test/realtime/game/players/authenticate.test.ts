import { expect, it } from '@jest/globals'
import { authenticate } from '../../../../realtime/game/players/authenticate.ts'
import { createRealtimeFixture } from '../../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

it('refuses a client with a reason when a store does not answer in time', async () => {
  const { addAccount, signIn, tokens, accountStore, store } = createRealtimeFixture({ clock: createFixedClock() })
  const token = await signIn(await addAccount('ann'))
  const modules = { loadPlayer: () => new Promise<never>(() => undefined) }
  const places = { read: async () => undefined }
  const checks = { tokens, accountStore, store, places, modules, log: silentLog }
  expect(await authenticate({ ...checks, limitMs: 20 }, token, () => true)).toMatchObject({
    code: 'service-unavailable',
    retryAfterSeconds: expect.any(Number),
  })
  expect(await authenticate({ ...checks, modules: { loadPlayer: async () => new Map() } }, token, () => true)).toHaveProperty(
    'account.email',
    'ann@example.com',
  )
})
