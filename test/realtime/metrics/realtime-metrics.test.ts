import { describe, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import { createRealtimeMetrics, type RealtimeState, withObserver } from '../../../realtime/metrics/realtime-metrics.ts'
import { metricLabels } from '../../../realtime/node/metric-labels.ts'

const open = () => {
  const registry = new Registry()
  return { registry, metrics: createRealtimeMetrics(registry, metricLabels) }
}
const traffic = { messagesIn: 1, bytesIn: 10, framesOut: 0, bytesOut: 0 }
const state = (connected: number): RealtimeState => ({
  sessions: { connected, detached: 1 },
  feeds: 2,
  columns: { loaded: 30, loading: 4, damaged: 0 },
  queues: { inbox: 5, work: 6, edits: 7, chunkWrites: 8, terrainWrites: 9, places: 10 },
})

describe('the metrics of the real-time node', () => {
  it('count ticks, traffic, closings, commands and edits by outcome', async () => {
    const { registry, metrics } = open()
    metrics.observeTick(0.004, 0.0501, { messagesIn: 3, bytesIn: 90, framesOut: 2, bytesOut: 700 })
    metrics.observeTick(0.2, 0.3, traffic)
    metrics.countClosing('too-slow')
    metrics.countFeedClosing('token-expired')
    metrics.countFeedFrame(500)
    metrics.countRefusedUpgrade(401)
    metrics.countCommand('missing-permission')
    metrics.countChat('dropped', 7)
    metrics.countRefusedMove('too-fast')
    metrics.countEdit(undefined)
    metrics.countEdit('missing-permission: zone.build in zone "the house of Ann"')
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
      'gatehouse_realtime_closings_total{code="too-slow"} 1',
      'gatehouse_realtime_closings_total{code="full"} 0',
      'gatehouse_realtime_feed_closings_total{code="token-expired"} 1',
      'gatehouse_realtime_feed_frames_sent_total 1',
      'gatehouse_realtime_upgrades_refused_total{status="401"} 1',
      'gatehouse_realtime_upgrades_refused_total{status="503"} 0',
      'gatehouse_realtime_feed_bytes_sent_total 500',
      'gatehouse_realtime_commands_total{outcome="missing-permission"} 1',
      'gatehouse_realtime_chat_lines_total{outcome="dropped"} 7',
      'gatehouse_realtime_chat_lines_total{outcome="refused"} 0',
      'gatehouse_realtime_moves_refused_total{reason="too-fast"} 1',
      'gatehouse_realtime_moves_refused_total{reason="blocked"} 0',
      'gatehouse_realtime_edits_total{outcome="ok"} 1',
      'gatehouse_realtime_edits_total{outcome="missing-permission"} 1',
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).not.toContain('Ann')
  })

  it('read the state of the node on each scrape, and are 0 before there is one', async () => {
    const { registry, metrics } = open()
    expect(await registry.metrics()).toContain('gatehouse_realtime_sessions_connected 0\n')
    let connected = 5
    const lease = { fence: 12, isHeld: () => true, sinceRenewalMs: () => 1500 }
    metrics.watch({ tickRate: 20, lease, state: () => state(connected) })
    connected = 6
    const text = await registry.metrics()
    for (const line of [
      'gatehouse_realtime_sessions_connected 6',
      'gatehouse_realtime_sessions_detached 1',
      'gatehouse_realtime_feeds_open 2',
      'gatehouse_realtime_columns_loading 4',
      'gatehouse_realtime_queue_depth{queue="inbox"} 5',
      'gatehouse_realtime_queue_depth{queue="chunk_writes"} 8',
      'gatehouse_realtime_lease_held 1',
      'gatehouse_realtime_lease_fence 12',
      'gatehouse_realtime_lease_age_seconds 1.5',
    ])
      expect(text).toContain(`${line}\n`)
  })

  it('count a tick as an overrun when it takes longer than its step', async () => {
    const { registry, metrics } = open()
    metrics.watch({ tickRate: 10, lease: { fence: 1, isHeld: () => true, sinceRenewalMs: () => 0 }, state: () => state(0) })
    for (const seconds of [0.02, 0.09, 0.11]) metrics.observeTick(seconds, 0.1, traffic)
    expect(await registry.metrics()).toContain('gatehouse_realtime_tick_overruns_total 1\n')
  })

  it('have a label for every refusal and for every closing of a feed', async () => {
    const { registry, metrics } = open()
    metrics.countCommand('muted')
    metrics.countEdit('zone-rules: members build in zone "x"')
    const text = await registry.metrics()
    expect(text).toContain('gatehouse_realtime_commands_total{outcome="muted"} 1\n')
    expect(text).toContain('gatehouse_realtime_edits_total{outcome="zone-rules"} 1\n')
    expect(text).toContain('gatehouse_realtime_feed_closings_total{code="banned"} 0\n')
  })

  it('do not make labels of unknown values', async () => {
    const { registry, metrics } = open()
    metrics.countEdit('a reason of tomorrow')
    metrics.countCommand('made up')
    const text = await registry.metrics()
    expect(text).toContain('gatehouse_realtime_edits_total{outcome="other"} 1\n')
    expect(text).toContain('gatehouse_realtime_commands_total{outcome="other"} 1\n')
  })

  it('send every tick to an observer too', async () => {
    const { registry, metrics } = open()
    const observed: unknown[] = []
    const both = withObserver(metrics, {
      observeTick: (...tick) => observed.push(tick),
      watch: ({ tickRate }) => observed.push(tickRate),
    })
    both.watch({ tickRate: 20, lease: { fence: 1, isHeld: () => true, sinceRenewalMs: () => 0 }, state: () => state(3) })
    both.observeTick(0.1, 0.2, traffic)
    both.countClosing('too-slow')
    expect(observed).toEqual([20, [0.1, 0.2, traffic]])
    const text = await registry.metrics()
    for (const line of ['tick_overruns_total 1', 'sessions_connected 3', 'closings_total{code="too-slow"} 1'])
      expect(text).toContain(`gatehouse_realtime_${line}\n`)
  })
})
