import type { Clock } from '../../kernel/clock.ts'
import { type NodeReports, type ReportKind, reportKinds, reportsInOrder } from './node-reports.ts'

type Kept = { readonly text: string; readonly endsAtMs: number }

/** Reports for a server of one process. */
export const createMemoryNodeReports = ({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): NodeReports => {
  const kept: Readonly<Record<ReportKind, Map<string, Kept>>> = {
    players: new Map(),
    metrics: new Map(),
    day: new Map(),
    tiles: new Map(),
    modules: new Map(),
  }
  return {
    tell: async (kind, nodeId, text) => {
      kept[kind].set(nodeId, { text, endsAtMs: clock.monotonic() + reportKinds[kind] })
    },
    withdraw: async (kind, nodeId) => {
      kept[kind].delete(nodeId)
    },
    list: async (kind) => {
      const now = clock.monotonic()
      for (const [nodeId, { endsAtMs }] of kept[kind]) if (endsAtMs <= now) kept[kind].delete(nodeId)
      return reportsInOrder(Array.from(kept[kind], ([nodeId, { text }]) => ({ nodeId, text })))
    },
  }
}
