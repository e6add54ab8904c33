import { describe, expect, it } from '@jest/globals'
import { fuzz } from '../../../bench/campaign/fuzz/fuzz.ts'
import { runShortly } from './run-shortly.ts'

const withinMs = 400_000

describe('generated and broken inputs, in one process', () => {
  it(
    'get valid answers, and end no process',
    async () => {
      const { findings, figures } = await runShortly(fuzz, 'embedded', { amount: 500, minutes: 0.15 })
      expect(findings).toEqual([])
      expect(Number(figures.inputs)).toBeGreaterThan(200)
    },
    withinMs,
  )
})
