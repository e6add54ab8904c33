import { describe, expect, it } from '@jest/globals'
import { listStale } from '../../tools/generate/made-files.ts'
import { createMetricsPage } from '../../tools/generate/metrics-page.ts'

describe('docs/metrics.md', () => {
  it('matches the registries: else run npm run generate', () => {
    expect(listStale(new Map([['docs/metrics.md', createMetricsPage()]]), [])).toEqual([])
  })
})
