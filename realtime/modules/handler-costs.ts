import type { HandlerCost } from '../../shared/domain/modules/module-status.ts'

/** The time that each handler of one module takes. */
export type HandlerCosts = {
  add(handler: string, tookMs: number, nowMs: number): void
  /** The handlers with the most time in the last 30 to 60 seconds, the slowest first. */
  slowest(nowMs: number): readonly HandlerCost[]
}

type Sum = { calls: number; totalMs: number; longestMs: number }

const windowMs = 30_000
const listedMax = 5
/** Handlers with a sum of their own. Jobs have names at will. */
const namesMax = 200

const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000

export const createHandlerCosts = (): HandlerCosts => {
  let startMs = Number.NEGATIVE_INFINITY
  let current = new Map<string, Sum>()
  let previous = new Map<string, Sum>()

  const advance = (nowMs: number): void => {
    if (nowMs - startMs < windowMs) return
    previous = nowMs - startMs < 2 * windowMs ? current : new Map()
    current = new Map()
    startMs = nowMs
  }

  return {
    add: (handler, tookMs, nowMs) => {
      advance(nowMs)
      const known = current.get(handler)
      if (known === undefined && current.size >= namesMax) return
      const sum = known ?? { calls: 0, totalMs: 0, longestMs: 0 }
      if (known === undefined) current.set(handler, sum)
      sum.calls += 1
      sum.totalMs += tookMs
      sum.longestMs = Math.max(sum.longestMs, tookMs)
    },
    slowest: (nowMs) => {
      advance(nowMs)
      const sums = new Map<string, Sum>()
      for (const [handler, { calls, totalMs, longestMs }] of [...previous, ...current]) {
        const { calls: callsBefore = 0, totalMs: totalBefore = 0, longestMs: longestBefore = 0 } = sums.get(handler) ?? {}
        sums.set(handler, {
          calls: callsBefore + calls,
          totalMs: totalBefore + totalMs,
          longestMs: Math.max(longestBefore, longestMs),
        })
      }
      return [...sums]
        .sort(([, one], [, other]) => other.totalMs - one.totalMs)
        .slice(0, listedMax)
        .map(([handler, { calls, totalMs, longestMs }]) => ({
          handler,
          calls,
          msPerCall: roundMs(totalMs / calls),
          longestMs: roundMs(longestMs),
        }))
    },
  }
}
