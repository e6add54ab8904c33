import { describe, expect, it } from '@jest/globals'
import { soak } from '../../../bench/campaign/soak/soak.ts'
import { describeOwnRedis } from '../../support/redis/redis.ts'
import { runShortly } from './run-shortly.ts'

describe('everyday use of one process', () => {
  it('succeeds, disconnects no player, and leaves no fault in the log', async () => {
    const { findings, figures } = await runShortly(soak, 'embedded', { amount: 1, minutes: 0.1 })
    expect(findings).toEqual([])
    expect(figures).toMatchObject({ failed: {} })
    // Only Linux reports it; a server is never smaller.
    const leastMiB = process.platform === 'linux' ? 30 : 0
    const fifths = figures.fifths as readonly { readonly ownMiB: number; readonly rssMiB: number }[]
    expect(fifths.filter(({ ownMiB, rssMiB }) => ownMiB < leastMiB || ownMiB > rssMiB)).toEqual([])
    expect(fifths).toHaveLength(5)
  }, 180_000)
})

describeOwnRedis('everyday use of two processes and Redis', () => {
  it('succeeds, disconnects no player, and leaves no fault in the log', async () => {
    expect((await runShortly(soak, 'redis', { amount: 1, minutes: 0.05 })).findings).toEqual([])
  }, 180_000)
})
