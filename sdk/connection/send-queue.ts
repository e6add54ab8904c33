import { NotSentError } from '../errors.ts'
import type { MessageLimits } from '../protocol/generated/gatehouse.ts'
import type { Timers } from '../timers.ts'

/** A request that waits for its turn. */
export type QueuedRequest = {
  /** In messages, as in Welcome.limits. */
  readonly cost: number
  /** Whether the request may go now. While it may not, later requests wait too. */
  readonly mayGo: () => boolean
  /** Sends the request. */
  readonly start: () => void
  readonly reject: (error: unknown) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends requests in their order, within the limits of the server. */
export type SendQueue = {
  /** Starts with a full budget. */
  begin(limits: MessageLimits): void
  /** Sends the request at once if it may go. Throws NotSentError `queue-full` if too many wait. */
  add(request: QueuedRequest): void
  /** Takes the cost of a message that did not wait. */
  spend(cost: number): void
  /** Sends requests that may go now. */
  next(): void
  /** Rejects all requests that wait. */
  clear(error: Error): void
}

/** The limits of a server before version 0.3, with its default settings. */
export const usualLimits: MessageLimits = { messagesPerSecond: 60, burst: 120, editCost: 4, commandCost: 4 }

/** How many requests may wait: about a minute and a half of single edits with the default limits. */
const waitingMax = 1_000
/**
 * Messages may arrive closer together than they were sent. Half of the burst stays free for that, and a tenth of the rate.
 */
const burstShare = 0.5
const rateShare = 0.9

export const createSendQueue = (timers: Timers): SendQueue => {
  const waiting: (QueuedRequest & { readonly abort: () => void })[] = []
  let capacity = 0
  let perMs = 0
  let level = 0
  let atMs = 0
  let stopTimer: (() => void) | undefined

  const refill = (): void => {
    const nowMs = timers.now()
    // The clock may have been set back.
    level = Math.min(capacity, level + Math.max(0, nowMs - atMs) * perMs)
    atMs = nowMs
  }
  const next = (): void => {
    for (let request = waiting[0]; request?.mayGo() === true; request = waiting[0]) {
      refill()
      const price = Math.min(request.cost, capacity)
      if (level < price) {
        stopTimer ??= timers.after(Math.ceil((price - level) / perMs), () => {
          stopTimer = undefined
          next()
        })
        return
      }
      waiting.shift()
      request.signal?.removeEventListener('abort', request.abort)
      level -= price
      request.start()
    }
  }
  return {
    begin: ({ messagesPerSecond, burst }) => {
      capacity = Math.max(1, burst * burstShare)
      perMs = Math.max(1, messagesPerSecond * rateShare) / 1_000
      level = capacity
      atMs = timers.now()
    },
    add: (request) => {
      if (waiting.length >= waitingMax)
        throw new NotSentError('queue-full', `${waitingMax} requests wait. Await some. Nothing was sent.`)
      const queued = {
        ...request,
        abort: () => {
          waiting.splice(waiting.indexOf(queued), 1)
          request.reject(request.signal?.reason)
          next()
        },
      }
      request.signal?.addEventListener('abort', queued.abort, { once: true })
      waiting.push(queued)
      next()
    },
    spend: (cost) => {
      refill()
      level = Math.max(-capacity, level - cost)
    },
    next,
    clear: (error) => {
      stopTimer?.()
      stopTimer = undefined
      for (const request of waiting.splice(0)) {
        request.signal?.removeEventListener('abort', request.abort)
        request.reject(error)
      }
    },
  }
}
