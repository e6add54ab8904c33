import { describe, expect, it } from '@jest/globals'
import { listExpressions, type Panel, readDashboard } from '../support/metrics/grafana-dashboard.ts'
import { readPromql } from '../support/metrics/promql.ts'

const dashboard = readDashboard()
const shown = dashboard.panels.filter(({ type }) => type !== 'row')

const overlaps = (a: Panel, b: Panel): boolean =>
  a !== b &&
  a.gridPos.x < b.gridPos.x + b.gridPos.w &&
  b.gridPos.x < a.gridPos.x + a.gridPos.w &&
  a.gridPos.y < b.gridPos.y + b.gridPos.h &&
  b.gridPos.y < a.gridPos.y + a.gridPos.h

describe('infra/grafana/gatehouse.json', () => {
  it('imports into Grafana as a new dashboard with a known schema and a stable uid', () => {
    expect(dashboard).toMatchObject({ id: null, uid: 'gatehouse', title: 'Gatehouse' })
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36)
    expect(dashboard.schemaVersion).toBeLessThanOrEqual(42)
  })

  it('lets the user choose its data source when it is opened, and has no other', () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' })
    const used = shown.flatMap(({ datasource, targets = [] }) => [
      datasource?.uid,
      ...targets.map((target) => target.datasource.uid),
    ])
    expect(new Set(used)).toEqual(new Set([`\${datasource}`]))
  })

  it('has panels with unique ids that do not overlap, each with a title and a query', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(dashboard.panels.filter((panel) => dashboard.panels.some((other) => overlaps(panel, other)))).toEqual([])
    expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
    for (const { title, targets = [] } of shown) {
      expect(title).not.toBe('')
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      expect(targets.length).toBeGreaterThan(0)
    }
  })

  it.each(listExpressions(dashboard))('has PromQL in $where: $expression', ({ expression }) => {
    expect(readPromql(expression).selected.length).toBeGreaterThan(0)
  })

  it('is checked by a grammar that detects mistakes', () => {
    expect(() => readPromql('sum by (le (rate(x[5m]))')).toThrow('No PromQL')
    expect(readPromql('sum by (a, b) (rate(x{c="1", d=~"$e"}[$__rate_interval]))')).toEqual({
      selected: [{ metric: 'x', labels: ['c', 'd'] }],
      grouped: [{ labels: ['a', 'b'], metrics: ['x'] }],
    })
  })
})
