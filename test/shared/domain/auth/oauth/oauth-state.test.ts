import { beforeEach, describe, expect, it } from '@jest/globals'
import { createOauthStates } from '../../../../../shared/domain/auth/oauth/oauth-state.ts'
import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemIds as ids } from '../../../../../shared/kernel/ids.ts'
import { createMemoryTokenStore } from '../../../../support/auth/memory-tokens.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'
import { createFixedClock, type FixedClock } from '../../../../support/time/fixed-clock.ts'

const returnUrl = 'https://game.example.org/play'
const client = 'a client'
const problem = (slug: string) => ({ kind: 'invalid', slug })

describe('the state of a sign-in', () => {
  let clock: FixedClock
  let states: ReturnType<typeof createOauthStates>
  beforeEach(() => {
    clock = createFixedClock()
    states = createOauthStates({ tokens: createMemoryTokenStore({ clock, ids }), clock, ids })
  })

  it('is returned once, with all values of the start', async () => {
    const { state, browserSecret, verifier, nonce } = await states.begin(returnUrl, client)
    expect(new Set([state, browserSecret, verifier, nonce]).size).toBe(4)
    expect(await states.take({ state, browserSecret, client })).toMatchObject({ verifier, nonce, returnUrl })
    for (let again = 0; again < 3; again += 1)
      await expect(states.take({ state, browserSecret, client })).rejects.toMatchObject(problem('state-used'))
  })

  it.each([undefined, '', 'x', 'x'.repeat(43), `${'x'.repeat(43)}\n`, 'é'.repeat(43), 'x'.repeat(100_000)])(
    'is unknown when it was never created: %#',
    async (state) => {
      await expect(states.take({ state, browserSecret: ids.secret(), client })).rejects.toMatchObject(problem('unknown-state'))
    },
  )

  it('is refused to another browser, and stays valid for the right one', async () => {
    const { state, browserSecret } = await states.begin(returnUrl, client)
    const other = (await states.begin(returnUrl, client)).browserSecret
    for (const secret of [undefined, '', other, `${browserSecret}x`])
      await expect(states.take({ state, browserSecret: secret, client })).rejects.toMatchObject(problem('wrong-browser'))
    expect(await states.take({ state, browserSecret, client })).toMatchObject({ returnUrl })
  })

  it('is late after ten minutes, and forgotten after twenty', async () => {
    const [first, second, third] = [
      await states.begin(returnUrl, client),
      await states.begin(returnUrl, client),
      await states.begin(returnUrl, client),
    ]
    clock.advance(599_999)
    expect(await states.take({ ...first, client })).toMatchObject({ returnUrl })
    clock.advance(1)
    await expect(states.take({ ...second, browserSecret: undefined, client })).rejects.toMatchObject(problem('state-expired'))
    await expect(states.take({ ...second, client })).rejects.toMatchObject(problem('state-expired'))
    clock.advance(600_000)
    await expect(states.take({ ...third, client })).rejects.toMatchObject(problem('unknown-state'))
  })

  it('does not live longer when another browser tries it', async () => {
    const { state, browserSecret } = await states.begin(returnUrl, client)
    clock.advance(599_000)
    await expect(states.take({ state, browserSecret: undefined, client })).rejects.toMatchObject(problem('wrong-browser'))
    clock.advance(1000)
    await expect(states.take({ state, browserSecret, client })).rejects.toMatchObject(problem('state-expired'))
  })

  it('is invalid after a change of the provider or our name there', async () => {
    const begun = await states.begin(returnUrl, client)
    await expect(states.take({ ...begun, client: 'another' })).rejects.toMatchObject(problem('state-expired'))
  })
})

describeEachRedis((name, connect) => {
  it(`is used by one of many processes on ${name}, whichever created it`, async () => {
    const clock = createFixedClock(Date.now())
    const redis = connect()
    const others = Array.from({ length: 4 }, () => connect({ prefix: redis.prefix }))
    const processes = [redis, ...others].map((one) =>
      createOauthStates({ tokens: createRedisTokenStore({ redis: one, clock, ids }), clock, ids }),
    )
    const [first] = processes
    const begun = await first?.begin(returnUrl, client)
    if (begun === undefined) throw new Error('no process')
    const results = await Promise.allSettled(processes.map((states) => states.take({ ...begun, client })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(problem('state-used'))
    await Promise.all([redis, ...others].map((one) => one.close()))
  })

  it(`is used by its own browser on ${name}, however many others try it at that moment`, async () => {
    const clock = createFixedClock(Date.now())
    const redis = connect()
    const other = connect({ prefix: redis.prefix })
    const [own, foreign] = [redis, other].map((one) =>
      createOauthStates({ tokens: createRedisTokenStore({ redis: one, clock, ids }), clock, ids }),
    )
    for (let time = 0; time < 20; time += 1) {
      const begun = await own?.begin(returnUrl, client)
      if (begun === undefined) throw new Error('no process')
      const tries = Array.from({ length: 10 }, () => foreign?.take({ ...begun, browserSecret: undefined, client }))
      const [ended, ...refused] = (await Promise.allSettled([...tries, own?.take({ ...begun, client })])).reverse()
      expect(ended).toMatchObject({ status: 'fulfilled', value: { returnUrl } })
      for (const one of refused)
        expect(one).toMatchObject({ reason: { slug: expect.stringMatching(/^(?:wrong-browser|state-used)$/) } })
    }
    await Promise.all([redis, other].map((one) => one.close()))
  })
})
