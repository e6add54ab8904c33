import { get } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createHttpMetrics } from '../../../../functions/http/metrics.ts'
import { type MetricsServer, startMetricsServer } from '../../../../shared/platform/metrics/metrics-server.ts'
import { createMetricsRegistry } from '../../../../shared/platform/metrics/service-metrics.ts'

describe('the metrics listener', () => {
  let server: MetricsServer | undefined
  afterEach(async () => server?.close())

  it('serves counts by route, and metrics of the Node process', async () => {
    const registry = createMetricsRegistry()
    const metrics = createHttpMetrics(registry)
    metrics.observe({ method: 'GET', path: '/things/:id', status: 200, seconds: 0.02 })
    metrics.observe({ method: 'BREW', path: 'unmatched', status: 405, seconds: 0.001 })
    server = await startMetricsServer({ host: '127.0.0.1', port: 0, registry })
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`)
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(text).toContain('gatehouse_http_request_duration_seconds_count{method="GET",path="/things/:id",status="200"} 1')
    expect(text).toContain('method="OTHER"')
    expect(text).toContain('process_resident_memory_bytes')
    registry.clear()
  })

  it('serves nothing else', async () => {
    const registry = createMetricsRegistry()
    server = await startMetricsServer({ host: '127.0.0.1', port: 0, registry })
    const base = `http://127.0.0.1:${server.port}`
    expect((await fetch(`${base}/`)).status).toBe(404)
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405)
    registry.clear()
  })

  it('answers 421 to another host name while it listens on loopback', async () => {
    const registry = createMetricsRegistry()
    server = await startMetricsServer({ host: '127.0.0.1', port: 0, registry })
    const { port } = server
    const statusOf = (host: string) =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/metrics', headers: { host }, agent: false }, (res) => {
          res.resume()
          resolve(res.statusCode)
        }).on('error', reject)
      })
    expect([await statusOf('rebound.example'), await statusOf(`localhost:${port}`)]).toEqual([421, 200])
    registry.clear()
  })

  it('refuses to start on a port in use', async () => {
    const registry = createMetricsRegistry()
    server = await startMetricsServer({ host: '127.0.0.1', port: 0, registry })
    await expect(startMetricsServer({ host: '127.0.0.1', port: server.port, registry })).rejects.toThrow('EADDRINUSE')
    registry.clear()
  })
})
