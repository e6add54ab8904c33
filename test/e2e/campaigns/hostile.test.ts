import { describe, expect, it } from '@jest/globals'
import { attacks } from '../../../bench/campaign/hostile/attacks.ts'
import { hostile } from '../../../bench/campaign/hostile/hostile.ts'
import { describeOwnRedis } from '../../support/redis/redis.ts'
import { runShortly } from './run-shortly.ts'

const withinMs = 400_000

/** Attacks that use Redis and the other process. */
const onRedis = ['reconnects', 'forged-resumes', 'feed-abuse', 'logins']

describe('every kind of hostile client', () => {
  it(
    'disconnects no player, ends no process, and leaves no fault in the log',
    async () => {
      const { findings, figures } = await runShortly(hostile, 'embedded', { amount: 0.05, minutes: 5 })
      expect(findings).toEqual([])
      expect(figures).toMatchObject({ attacks: attacks.length })
    },
    withinMs,
  )
})

describeOwnRedis('hostile clients of two processes and Redis', () => {
  it(
    'disconnect no player, end no process, and leave no fault in the log',
    async () => {
      const { findings, figures } = await runShortly(hostile, 'redis', { amount: 0.05, only: onRedis })
      expect(findings).toEqual([])
      expect(figures).toMatchObject({ attacks: onRedis.length })
    },
    withinMs,
  )
})
