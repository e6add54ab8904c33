import { describe, expect, it } from '@jest/globals'
import { listStale } from '../../infra/generate/made-files.ts'
import { createMetricsPage } from '../../infra/generate/metrics-page.ts'

describe('docs/metrics.md', () => {
  it('is what the registries say: else run npm run generate', () => {
    expect(listStale(new Map([['docs/metrics.md', createMetricsPage()]]), [])).toEqual([])
  })
})
