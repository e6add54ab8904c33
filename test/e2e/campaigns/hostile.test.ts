import { describe, expect, it } from '@jest/globals'
import { attacks } from '../../campaign/hostile/attacks.ts'
import { hostile } from '../../campaign/hostile/hostile.ts'
import { runShortly } from './run-shortly.ts'

describe('every kind of hostile client', () => {
  it('throws nobody out, ends nothing, and leaves no fault in the log', async () => {
    const { findings, figures } = await runShortly(hostile, 'embedded', { amount: 1, minutes: 5 })
    expect(findings).toEqual([])
    expect(figures).toMatchObject({ attacks: attacks.length })
  }, 400_000)
})
