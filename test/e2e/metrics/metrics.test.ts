import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createMetricsPage } from '../../../tools/generate/metrics-page.ts'
import { listExpressions, readDashboard } from '../../support/metrics/grafana-dashboard.ts'
import { readPromql } from '../../support/metrics/promql.ts'
import { type Scraped, scrape } from '../../support/metrics/scrape.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { ask } from '../support/api.ts'
import { createStage } from '../support/stage.ts'

const stage = createStage()

/** Labels that Prometheus adds to every series. */
const ofTargets = ['instance', 'job']

/** Names without the suffixes of the series of a histogram. */
const metricOf = (series: string): string => series.replace(/(_seconds)_(bucket|sum|count)$/, '$1')

describeOwnRedis('the metrics of running processes', () => {
  let redis: RedisServer
  let http: Scraped
  let realtime: Scraped
  let all: Scraped

  beforeAll(async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir()
    const common = { DATA_DIR: dataDir, REDIS_URL: redis.url }
    const [port, ofHttp, ofRealtime] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const [server] = await Promise.all([
      stage.start({ ...common, METRICS_PORT: String(ofHttp), REALTIME_URL: `http://127.0.0.1:${port}` }, 'infra/http.ts'),
      stage.start({ ...common, METRICS_PORT: String(ofRealtime), PORT: String(port) }, 'realtime/main.ts'),
    ])
    const token = await stage.signIn(server.url, 'player@example.com')
    const { session } = await stage.enter(server.url, token)
    await session.command('/who')
    await ask(server.url, 'GET /api/admin/users', { token })
    http = await scrape(ofHttp)
    realtime = await scrape(ofRealtime)
    all = new Map([...http, ...realtime])
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const labelsOf = (metric: string): string[] => [...(all.get(metric) ?? []), ...ofTargets]

  it('have every series that the dashboard queries', () => {
    const asked = listExpressions(readDashboard()).flatMap(({ expression }) =>
      readPromql(expression).selected.map(({ metric }) => metric),
    )
    expect(asked.length).toBeGreaterThan(40)
    expect(asked.filter((metric) => !all.has(metric))).toEqual([])
  })

  it('have every label in selectors, groupings and legends of the dashboard', () => {
    const missing = listExpressions(readDashboard()).flatMap(({ where, expression, legend }) => {
      const { selected, grouped } = readPromql(expression)
      const bySelection = selected.flatMap(({ metric, labels }) => labels.filter((label) => !labelsOf(metric).includes(label)))
      const byGroup = grouped.flatMap(({ labels, metrics }) =>
        labels.filter((label) => !metrics.every((metric) => labelsOf(metric).includes(label))),
      )
      const left =
        grouped.length === 0 ? selected.flatMap(({ metric }) => labelsOf(metric)) : grouped.flatMap(({ labels }) => labels)
      return [...bySelection, ...byGroup, ...legend.filter((label) => !left.includes(label))].map((label) => `${where}: ${label}`)
    })
    expect(missing).toEqual([])
  })

  /** Series of modules begin with the first module. */
  const isAlwaysThere = (name: string): boolean => !name.startsWith('gatehouse_module_')

  it('match docs/metrics.md, for each half', () => {
    const [, every = '', ofHttp = '', ofRealtime = ''] = createMetricsPage().split('\n## ')
    const listed = (...sections: string[]): string[] =>
      sections
        .flatMap((section) => [...section.matchAll(/^\| `(gatehouse_\w+)`/gm)].map(([, name = '']) => name))
        .filter(isAlwaysThere)
        .sort()
    const served = (scraped: Scraped): string[] =>
      [...new Set([...scraped.keys()].filter((name) => name.startsWith('gatehouse_')).map(metricOf))].sort()
    expect(served(http)).toEqual(listed(every, ofHttp))
    expect(served(realtime)).toEqual(listed(every, ofRealtime))
  })

  it('have the labels of docs/metrics.md and no others', () => {
    for (const [, name = '', labels = ''] of createMetricsPage().matchAll(/^\| `(gatehouse_\w+)` \| \w+ \| ([^|]*) \|/gm)) {
      if (!isAlwaysThere(name)) continue
      const served = [...all.entries()].filter(([series]) => metricOf(series) === name).flatMap(([, names]) => [...names])
      const listed = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
      expect([name, new Set(served.filter((label) => label !== 'le'))]).toEqual([name, new Set(listed)])
    }
  })
})
