import type { RequestListener } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { catchUpFirst } from '../../../../functions/http/lambda/catch-up-first.ts'
import type { Configs } from '../../../../shared/domain/configs/current/configs.ts'
import { followSanctions } from '../../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createConfigProcesses, firstGroup, groupNamed } from '../../../support/configs/config-processes.ts'
import { openLambdaDoor } from '../../../support/http/lambda-door.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

/** Answers with the active group. */
const appOf =
  (configs: Configs): RequestListener =>
  (_req, res) => {
    res.end(firstGroup(configs))
  }

/** Two processes. The second receives no events of the first. */
const openStill = async () => {
  const processes = createConfigProcesses({ 'groups.yaml': groupNamed('a') })
  const { files, start, store } = processes
  const isAway = { now: false }
  const reads = { count: 0 }
  const get: typeof store.get = async (...args) => {
    reads.count += 1
    if (isAway.now) throw new AppError('unavailable', 'service-unavailable', 'Not now.', { retryAfterSeconds: 1 })
    return store.get(...args)
  }
  const [other, still] = [await start(), await start({ on: { ...store, get } })]
  const clock = createFixedClock()
  const events = createMemoryEventBus({ log: silentLog })
  const activeSanctions = followSanctions({ store: { ...store, get }, events, clock, log: silentLog })
  const door = await openLambdaDoor(catchUpFirst(appOf(still), { configs: still, activeSanctions, clock }))
  return {
    clock,
    isAway,
    reads,
    reload: async (name: string) => {
      files.texts['groups.yaml'] = groupNamed(name)
      await other.reload(['groups.yaml'])
    },
    ask: () => door.send('GET', '/', {}, undefined),
  }
}

describe('a frozen function that resumes after a reload of the configs', () => {
  it('uses the new configs from its first request on', async () => {
    const { clock, reload, ask } = await openStill()
    expect(await ask()).toMatchObject({ text: 'a' })
    await reload('b')
    clock.advance(1000)
    expect(await ask()).toMatchObject({ text: 'b' })
  })

  it('checks for a reload at most once a second', async () => {
    const { clock, reads, ask } = await openStill()
    const before = reads.count
    clock.advance(999)
    await ask()
    expect(reads.count - before).toBe(0)
    clock.advance(1)
    await ask()
    expect(reads.count - before).toBe(2)
  })

  it('answers 503 while it cannot check for a reload, and uses the new configs right after', async () => {
    const { clock, isAway, reload, ask } = await openStill()
    await reload('b')
    clock.advance(60_000)
    isAway.now = true
    const refusal = await ask()
    expect(refusal).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    expect(refusal.headers['retry-after']).toBe('1')
    isAway.now = false
    expect(await ask()).toMatchObject({ status: 200, text: 'b' })
  })
})
