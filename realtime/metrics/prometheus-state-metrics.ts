import { Gauge, type Registry } from 'prom-client'
import type { LeaseState, QueueDepths, RealtimeMetrics, RealtimeState } from './realtime-metrics.ts'

/** Label values by the names that the code has for them. */
const labelled = ({ inbox, work, edits, chunkWrites, terrainWrites, places }: QueueDepths): Readonly<Record<string, number>> => ({
  ...{ inbox, work, edits, places },
  chunk_writes: chunkWrites,
  terrain_writes: terrainWrites,
})

const noQueues: QueueDepths = { inbox: 0, work: 0, edits: 0, chunkWrites: 0, terrainWrites: 0, places: 0 }
const emptyNode: RealtimeState = {
  sessions: { connected: 0, detached: 0 },
  feeds: 0,
  columns: { loaded: 0, loading: 0, damaged: 0 },
  queues: noQueues,
}
const noLease: LeaseState = { fence: 0, isHeld: () => false, sinceRenewalMs: () => 0 }

/** Gauges that ask the node when they are read; the returned function tells them which node. Until then all are 0. */
export const watchNodeState = (registry: Registry): RealtimeMetrics['watch'] => {
  let state = (): RealtimeState => emptyNode
  let lease = noLease
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `gatehouse_realtime_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  gauge('sessions_connected', 'Sessions with a connection.', () => state().sessions.connected)
  gauge('sessions_detached', 'Sessions that wait for their player to come back.', () => state().sessions.detached)
  gauge('feeds_open', 'Open sockets of zone feeds.', () => state().feeds)
  gauge('columns_loaded', 'Columns of the world in memory.', () => state().columns.loaded)
  gauge('columns_loading', 'Columns on their way into memory.', () => state().columns.loading)
  gauge('columns_damaged', 'Records of columns that were found damaged since the start.', () => state().columns.damaged)
  gauge('lease_held', '1 while the node may write its world, else 0.', () => (lease.isHeld() ? 1 : 0))
  gauge('lease_fence', 'The number of the lease of the world; each holder has a higher one.', () => lease.fence)
  gauge('lease_age_seconds', 'Time since the lease was last renewed.', () => lease.sinceRenewalMs() / 1000)
  new Gauge({
    name: 'gatehouse_realtime_queue_depth',
    help: 'What waits: messages for the next tick (`inbox`), work outside (`work`), `edits` and columns not written (`chunk_writes`, `terrain_writes`), `places` not written.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, depth] of Object.entries(labelled(state().queues))) this.set({ queue }, depth)
    },
  })
  return (node) => {
    state = node.state
    lease = node.lease
  }
}
