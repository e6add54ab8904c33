import { describe, expect, it } from '@jest/globals'
import { createExpiringMap } from '../../../../shared/auth/tokens/tokens-memory.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

describe('expiring map', () => {
  it('does not grow while as many entries end as are written', () => {
    const clock = createFixedClock()
    const map = createExpiringMap<{ expiresAt: number }>(clock)
    for (let written = 0; written < 20_000; written++) {
      map.set(`key ${written}`, { expiresAt: clock.now() + 100 })
      clock.advance(1)
    }
    expect(map.size).toBeLessThan(300)
    expect([...map.values()]).toHaveLength(99)
  })

  it('gets rid of a crowd that ended, as later entries are written', () => {
    const clock = createFixedClock()
    const map = createExpiringMap<{ expiresAt: number }>(clock)
    for (let written = 0; written < 1000; written++) map.set(`crowd ${written}`, { expiresAt: clock.now() + 100 })
    clock.advance(100)
    expect(map.get('crowd 7')).toBeUndefined()
    for (let written = 0; written < 1000; written++) map.set(`later ${written}`, { expiresAt: clock.now() + 100 })
    expect(map.size).toBeLessThanOrEqual(1001)
  })

  it('lists what was written again after what was not', () => {
    const clock = createFixedClock()
    const map = createExpiringMap<{ expiresAt: number; name: string }>(clock)
    const entry = (name: string) => ({ name, expiresAt: clock.now() + 10 })
    map.set('a', entry('first'))
    map.set('b', entry('second'))
    map.set('a', entry('third'))
    map.delete('none')
    expect([...map.values()].map(({ name }) => name)).toEqual(['second', 'third'])
  })
})
