import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'

const lastCount = 0xfff

/**
 * Returns a function that makes UUIDs of version 7 (RFC 9562, section 5.7). They sort by their millisecond, and those of one function
 * by their order.
 */
export const createTimeOrderedIds = ({
  clock,
  ids,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
}): (() => string) => {
  let lastMs = 0
  let count = 0
  return () => {
    const nowMs = Math.floor(clock.now())
    count = nowMs > lastMs ? 0 : count + 1
    // If the numbers of a millisecond are used up, continues in the next one.
    lastMs = count > lastCount ? lastMs + 1 : Math.max(lastMs, nowMs)
    count = count > lastCount ? 0 : count
    const time = lastMs.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${ids.uuid().slice(18)}`
  }
}
