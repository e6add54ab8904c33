import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Log } from '../../shared/kernel/log.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import { createCapturedLog } from '../support/time/silent-log.ts'
import { waitFor } from '../support/time/wait-for.ts'

/** Opens two buses that hear one another (the same one twice, where there is but one process), and says how to close them. */
type OpenEventBuses = (
  log: Log,
) => Promise<{ readonly here: EventBus; readonly there: EventBus; readonly close: () => Promise<void> }>

const account = { playerId: 'p1', email: 'ann@example.com' }

/** What every EventBus promises. */
export const eventBusContract = (name: string, open: OpenEventBuses) => {
  describe(`EventBus on ${name}`, () => {
    let here: EventBus
    let there: EventBus
    let close: () => Promise<void>
    let lines: Record<string, unknown>[]
    beforeEach(async () => {
      const captured = createCapturedLog()
      lines = captured.lines
      const opened = await open(captured.log)
      here = opened.here
      there = opened.there
      close = opened.close
    })
    afterEach(() => close())

    it('calls every subscriber of the topic, those of the publisher included', async () => {
      const heard: unknown[] = []
      await here.subscribe('account-changed', (event) => void heard.push(['here', event]))
      await there.subscribe('account-changed', (event) => void heard.push(['there', event]))
      await there.subscribe('account-changed', (event) => void heard.push(['there too', event]))
      await here.publish('account-changed', account)
      await waitFor(() => heard.length === 3)
      expect(heard).toHaveLength(3)
      expect(heard).toEqual(
        expect.arrayContaining([
          ['here', account],
          ['there', account],
          ['there too', account],
        ]),
      )
    })

    it('delivers what is published right after subscribe resolved, in order', async () => {
      const heard: string[] = []
      await there.subscribe('sign-in-ended', ({ signInId }) => void heard.push(signInId))
      const ids = Array.from({ length: 50 }, (_, index) => `sign-in ${index}`)
      for (const signInId of ids) await here.publish('sign-in-ended', { playerId: 'p1', signInId })
      await waitFor(() => heard.length === ids.length)
      expect(heard).toEqual(ids)
    })

    it('keeps topics apart', async () => {
      const heard: unknown[] = []
      await there.subscribe('account-removed', (event) => void heard.push(event))
      await here.publish('account-changed', account)
      await here.publish('configs-reloaded', { names: ['groups.yaml'] })
      await here.publish('account-removed', { ...account, playerId: 'p2' })
      await waitFor(() => heard.length > 0)
      expect(heard).toEqual([{ ...account, playerId: 'p2' }])
    })

    it('calls handlers later, never inside publish', async () => {
      let calls = 0
      await here.subscribe('account-changed', () => {
        calls += 1
      })
      const published = here.publish('account-changed', account)
      expect(calls).toBe(0)
      await published
      await waitFor(() => calls === 1)
    })

    it('logs a handler that throws or rejects, and disturbs neither the publisher nor the others', async () => {
      const heard: unknown[] = []
      await there.subscribe('account-changed', () => {
        throw new Error('thrown by a handler')
      })
      await there.subscribe('account-changed', () => Promise.reject(new Error('rejected by a handler')))
      await there.subscribe('account-changed', (event) => void heard.push(event))
      await expect(here.publish('account-changed', account)).resolves.toBeUndefined()
      await here.publish('account-changed', account)
      await waitFor(() => heard.length === 2)
      await waitFor(() => lines.length >= 4)
      expect(JSON.stringify(lines)).toContain('thrown by a handler')
      expect(JSON.stringify(lines)).toContain('rejected by a handler')
    })

    it('ends one subscription and leaves the others, a twin of the same handler included', async () => {
      const heard: string[] = []
      const twin = () => void heard.push('twin')
      const end = await here.subscribe('account-changed', twin)
      await here.subscribe('account-changed', twin)
      end()
      end()
      await here.subscribe('account-changed', () => void heard.push('last'))
      await here.publish('account-changed', account)
      await waitFor(() => heard.includes('last'))
      expect(heard).toEqual(['twin', 'last'])
    })

    it('can be subscribed again after the last subscription ended', async () => {
      const heard: unknown[] = []
      const end = await there.subscribe('account-changed', () => void heard.push('ended'))
      end()
      await there.subscribe('account-changed', (event) => void heard.push(event))
      await here.publish('account-changed', account)
      await waitFor(() => heard.length === 1)
      expect(heard).toEqual([account])
    })

    it('does not reject a publish after it was closed', async () => {
      await here.subscribe('account-changed', () => undefined)
      await here.close()
      await expect(here.publish('account-changed', account)).resolves.toBeUndefined()
    })
  })
}
