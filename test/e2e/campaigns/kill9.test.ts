import { describe, expect, it } from '@jest/globals'
import { kill9 } from '../../../bench/campaign/kill9/kill9.ts'
import { describeDynamo } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis } from '../../support/redis/redis.ts'
import { runShortly } from './run-shortly.ts'

const withinMs = 400_000

describe('kill -9 at seeded moments, in one process', () => {
  it(
    'loses no acknowledged write, and needs no repair',
    async () => {
      const { findings, figures } = await runShortly(kill9, 'embedded', { amount: 1, minutes: 5 })
      expect(findings).toEqual([])
      expect(figures).toMatchObject({ rounds: 1 })
      expect(Number(figures.compared)).toBeGreaterThan(0)
    },
    withinMs,
  )
})

describeOwnRedis('kill -9 at seeded moments, of two processes and the Redis between them', () => {
  it(
    'loses no acknowledged write, and needs no repair',
    async () => {
      const { findings, figures } = await runShortly(kill9, 'redis', { amount: 1, minutes: 5 })
      expect(findings).toEqual([])
      expect(figures).toMatchObject({ rounds: 1 })
    },
    withinMs,
  )
})

describeDynamo('kill -9 at seeded moments, on DynamoDB', () => {
  it(
    'loses no acknowledged write, and needs no repair',
    async () => {
      const { findings, figures } = await runShortly(kill9, 'dynamodb', { amount: 1, minutes: 5 })
      expect(findings).toEqual([])
      expect(figures).toMatchObject({ rounds: 1 })
    },
    withinMs,
  )
})
