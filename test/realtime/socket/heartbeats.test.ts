import { expect, it } from '@jest/globals'
import { Heartbeats } from '../../../realtime/socket/heartbeats.ts'

it('measures the answer to the last ping, and nothing before the first one', () => {
  const heartbeats = new Heartbeats()
  expect(heartbeats.answered(5)).toBe(false)
  expect(heartbeats.pingMs).toBeUndefined()
  heartbeats.asked(1000)
  expect(heartbeats.answered(1042.4)).toBe(true)
  expect(heartbeats.pingMs).toBe(42)
})

it('does not count the answer to an older ping as one to the last', () => {
  const heartbeats = new Heartbeats()
  heartbeats.asked(1000)
  heartbeats.asked(16_000)
  heartbeats.answered(16_001)
  expect(heartbeats.pingMs).toBeUndefined()
  heartbeats.answered(16_030)
  expect(heartbeats.pingMs).toBe(30)
})
