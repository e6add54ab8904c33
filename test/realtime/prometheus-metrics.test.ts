import { describe, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import { createPrometheusRealtimeMetrics } from '../../realtime/prometheus-metrics.ts'

describe('the metrics of the real-time node', () => {
  it('count ticks, traffic, sessions and closings by code', async () => {
    const registry = new Registry()
    const metrics = createPrometheusRealtimeMetrics(registry)
    metrics.observeTick(0.004, 0.0501, { messagesIn: 3, bytesIn: 90, framesOut: 2, bytesOut: 700 })
    metrics.observeTick(0.2, 0.3, { messagesIn: 1, bytesIn: 10, framesOut: 0, bytesOut: 0 })
    metrics.setSessions(5, 1)
    metrics.countClosing('too-slow')
    const text = await registry.metrics()
    for (const line of [
      'gatehouse_realtime_tick_seconds_bucket{le="0.005"} 1',
      'gatehouse_realtime_tick_seconds_count 2',
      'gatehouse_realtime_tick_interval_seconds_bucket{le="0.051"} 1',
      'gatehouse_realtime_tick_interval_seconds_count 2',
      'gatehouse_realtime_messages_received_total 4',
      'gatehouse_realtime_bytes_received_total 100',
      'gatehouse_realtime_frames_sent_total 2',
      'gatehouse_realtime_bytes_sent_total 700',
      'gatehouse_realtime_sessions_connected 5',
      'gatehouse_realtime_sessions_detached 1',
      'gatehouse_realtime_closings_total{code="too-slow"} 1',
    ])
      expect(text).toContain(`${line}\n`)
  })
})
