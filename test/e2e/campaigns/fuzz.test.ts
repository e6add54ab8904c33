import { describe, expect, it } from '@jest/globals'
import { fuzz } from '../../../bench/campaign/fuzz/fuzz.ts'
import { describeDynamo } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis } from '../../support/redis/redis.ts'
import { runShortly } from './run-shortly.ts'

const withinMs = 400_000

describe('generated and broken inputs, in one process', () => {
  it(
    'get valid answers, and end no process',
    async () => {
      const { findings, figures } = await runShortly(fuzz, 'embedded', { amount: 3000, minutes: 0.15 })
      expect(findings).toEqual([])
      expect(Number(figures.inputs)).toBeGreaterThan(200)
    },
    withinMs,
  )
})

describeOwnRedis('generated and broken inputs, at two processes and Redis', () => {
  it(
    'get valid answers, and end no process',
    async () => {
      expect((await runShortly(fuzz, 'redis', { amount: 1000, minutes: 0.05 })).findings).toEqual([])
    },
    withinMs,
  )
})

describeDynamo('generated and broken inputs, on DynamoDB', () => {
  it(
    'get valid answers, and end no process',
    async () => {
      expect((await runShortly(fuzz, 'dynamodb', { amount: 1000, minutes: 0.05 })).findings).toEqual([])
    },
    withinMs,
  )
})
