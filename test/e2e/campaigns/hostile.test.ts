import { describe, expect, it } from '@jest/globals'
import { attacks } from '../../../bench/campaign/hostile/attacks.ts'
import { hostile } from '../../../bench/campaign/hostile/hostile.ts'
import { runShortly } from './run-shortly.ts'

const withinMs = 400_000

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
