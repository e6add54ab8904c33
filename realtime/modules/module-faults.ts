import type { ModuleCode } from '../../shared/domain/modules/module-source.ts'
import type { ModuleFault } from '../../shared/domain/modules/module-status.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'

/** The faults of one module. The same fault is logged once a minute, with its count. */
export type ModuleFaults = {
  /** Notes a fault of a handler. Returns its id. */
  add(label: string, error: unknown): string
  last(): ModuleFault | undefined
  /** The number of faults since the start. */
  count(): number
  /** Whether about 20 faults happened in each of the last five seconds: one in each tick. */
  isFlood(): boolean
}

const logEveryMs = 60_000
/** A second has 18 to 22 ticks, because ticks are a little early or late. */
const floodPerSecond = 18
const floodSeconds = 5
/** Different faults that are remembered to log each once a minute. */
const faultsRemembered = 100
const messageCharacters = 500

/** The message of a thrown value. */
export const describeThrown = (error: unknown): string => {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return String(message).slice(0, messageCharacters)
}

export const stackOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'stack' in error ? String(error.stack) : ''

type Known = { readonly id: string; loggedMs: number; unlogged: number }

export type ModuleFaultsDeps = {
  readonly name: string
  readonly code: Pick<ModuleCode, 'findPlace'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

export const createModuleFaults = ({ name, code, clock, ids, log }: ModuleFaultsDeps): ModuleFaults => {
  const known = new Map<string, Known>()
  let last: ModuleFault | undefined
  let count = 0
  let second = 0
  let inSecond = 0
  let badSeconds = 0

  const noteTime = (nowMs: number): void => {
    const now = Math.floor(nowMs / 1000)
    if (now !== second) {
      badSeconds = now === second + 1 && inSecond >= floodPerSecond ? badSeconds + 1 : 0
      second = now
      inSecond = 0
    }
    inSecond += 1
  }

  return {
    add: (label, error) => {
      const nowMs = clock.monotonic()
      const message = describeThrown(error)
      const place = code.findPlace(stackOf(error))
      const key = `${label} ${message} ${place?.file ?? ''}:${place?.line ?? ''}`
      const fault = known.get(key) ?? { id: ids.uuid().slice(0, 8), loggedMs: Number.NEGATIVE_INFINITY, unlogged: 0 }
      if (known.size >= faultsRemembered && !known.has(key)) known.clear()
      known.set(key, fault)
      count += 1
      noteTime(nowMs)
      fault.unlogged += 1
      last = { at: new Date(clock.now()).toISOString(), id: fault.id, message, handler: label, ...place }
      if (nowMs - fault.loggedMs >= logEveryMs) {
        const where = place && `${place.file}:${place.line}:${place.column}`
        log.error(
          {
            module: name,
            handler: label,
            fault: fault.id,
            cause: message,
            ...(where !== undefined && { where }),
            times: fault.unlogged,
          },
          'a handler of a module failed',
        )
        fault.loggedMs = nowMs
        fault.unlogged = 0
      }
      return fault.id
    },
    last: () => last,
    count: () => count,
    isFlood: () => badSeconds >= floodSeconds,
  }
}
