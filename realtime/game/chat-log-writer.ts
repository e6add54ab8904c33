import { batchId, type ChatBatch, chatBatches, type StoredLine, slotOf } from '../../shared/domain/chat/chat-batch.ts'
import { createBatchWriter } from '../../shared/kernel/background-writes.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { ChatLine } from '../node-links/chat-line.ts'

/** Stores the public chat lines of this node. Ticks only add lines; `step` writes them outside of ticks. */
export type ChatLogWriter = {
  /** Adds lines that were sent to clients now. */
  note(lines: readonly ChatLine[]): void
  /** Starts to write the batches of past slots. */
  step(): void
  /** Writes all lines. Never rejects: lines that cannot be written are counted and logged as lost. */
  flush(): Promise<void>
}

export type ChatLogWriterDeps = {
  readonly store: Pick<Store, 'put'>
  readonly clock: Pick<Clock, 'now'>
  readonly nodeId: string
  /** The name of the world of this node. */
  readonly world: string
  readonly isOn: () => boolean
  readonly metrics: Pick<RealtimeMetrics, 'countChatLog'>
  readonly log: Log
}

/** The limits of a batch. One item of DynamoDB can have 400 KB. */
const linesPerBatchMax = 200
const bytesPerBatchMax = 49_152

/** At most 12 MiB. Ordinary chat fills one batch in five seconds, so an outage of 20 minutes loses nothing. */
const batchesWaitingMax = 256

const retryAfterMs = 5_000
const logEveryMs = 60_000

export const createChatLogWriter = (deps: ChatLogWriterDeps): ChatLogWriter => {
  const { store, clock, nodeId, world, isOn, metrics, log } = deps
  let open: { readonly slot: number; readonly lines: StoredLine[]; bytes: number } | undefined
  let batches = 0
  let lost = 0
  let lostLoggedMs = Number.NEGATIVE_INFINITY

  const writer = createBatchWriter<string, ChatBatch>({
    batchMax: 1,
    flushedAtOnce: 4,
    retryAfterMs,
    write: async (entries) => {
      for (const [id, batch] of entries) {
        await store.put(chatBatches, id, batch)
        metrics.countChatLog('stored', batch.lines.length)
      }
      return entries.length
    },
    failed: (err) => log.error({ err }, 'chat lines could not be stored; retrying later'),
    recovered: () => log.info({}, 'chat lines are stored again'),
  })

  const lose = (lines: number): void => {
    metrics.countChatLog('lost', lines)
    lost += lines
  }
  const seal = (): void => {
    if (open === undefined) return
    batches += 1
    writer.set(batchId(open.slot, nodeId, batches), { world, lines: open.lines })
    open = undefined
  }
  const reportLost = (): void => {
    lostLoggedMs = clock.now()
    if (lost > 0)
      log.error({ lines: lost }, 'chat lines are missing in the chat log, because the store did not take them in time')
    lost = 0
  }

  return {
    note: (lines) => {
      if (!isOn()) return
      const nowMs = Math.floor(clock.now())
      const slot = slotOf(nowMs)
      for (const { channel, from, text, by } of lines) {
        const isFull = open !== undefined && (open.lines.length >= linesPerBatchMax || open.bytes >= bytesPerBatchMax)
        if (open?.slot !== slot || isFull) seal()
        if (open === undefined && writer.size() >= batchesWaitingMax) {
          lose(1)
          continue
        }
        open ??= { slot, lines: [], bytes: 0 }
        open.lines.push({ ms: nowMs - slot, channel, from, text, ...(by !== undefined && { by }) })
        open.bytes += Buffer.byteLength(text)
      }
    },
    step: () => {
      const nowMs = clock.now()
      if (open !== undefined && open.slot !== slotOf(nowMs)) seal()
      writer.step(nowMs)
      if (lost > 0 && nowMs - lostLoggedMs >= logEveryMs) reportLost()
    },
    flush: async () => {
      seal()
      await writer
        .flush()
        .catch((err: unknown) => log.error({ err, batches: writer.size() }, 'the last chat lines were not stored'))
      reportLost()
    },
  }
}
