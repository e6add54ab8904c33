import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RealtimeMetrics } from './realtime-metrics.ts'

/** Counts into `registry` under names that begin with `gatehouse_realtime_`; labels are bounded by the list of closings. */
export const createPrometheusRealtimeMetrics = (registry: Registry): RealtimeMetrics => {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name: `gatehouse_realtime_${name}`, help, labelNames: [...labelNames], registers })
  const gauge = (name: string, help: string) => new Gauge({ name: `gatehouse_realtime_${name}`, help, registers })
  const tickSeconds = new Histogram({
    name: 'gatehouse_realtime_tick_seconds',
    help: 'Time that a tick took.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25],
    registers,
  })
  const tickIntervals = new Histogram({
    name: 'gatehouse_realtime_tick_interval_seconds',
    help: 'Time from the beginning of one tick to that of the next; 0.05 at 20 ticks a second.',
    buckets: [0.025, 0.04, 0.045, 0.049, 0.05, 0.051, 0.052, 0.053, 0.054, 0.055, 0.06, 0.075, 0.1, 0.25, 1],
    registers,
  })
  const messagesIn = counter('messages_received_total', 'Messages of clients.')
  const bytesIn = counter('bytes_received_total', 'Bytes of messages of clients.')
  const framesOut = counter('frames_sent_total', 'Frames to clients.')
  const bytesOut = counter('bytes_sent_total', 'Bytes of frames to clients.')
  const closings = counter('closings_total', 'Connections that the server closed.', ['code'])
  const connected = gauge('sessions_connected', 'Sessions with a connection.')
  const detached = gauge('sessions_detached', 'Sessions that wait for their player to come back.')
  const loadedColumns = gauge('columns_loaded', 'Columns of the world in memory.')
  const loadingColumns = gauge('columns_loading', 'Columns on their way into memory.')
  const damagedColumns = gauge('columns_damaged', 'Records of columns that were found damaged since the start.')
  return {
    observeTick: (seconds, sincePreviousSeconds, traffic) => {
      tickSeconds.observe(seconds)
      tickIntervals.observe(sincePreviousSeconds)
      messagesIn.inc(traffic.messagesIn)
      bytesIn.inc(traffic.bytesIn)
      framesOut.inc(traffic.framesOut)
      bytesOut.inc(traffic.bytesOut)
    },
    setSessions: (connectedNow, detachedNow) => {
      connected.set(connectedNow)
      detached.set(detachedNow)
    },
    setColumns: (loaded, loading, damaged) => {
      loadedColumns.set(loaded)
      loadingColumns.set(loading)
      damagedColumns.set(damaged)
    },
    countClosing: (code) => closings.inc({ code }),
  }
}
