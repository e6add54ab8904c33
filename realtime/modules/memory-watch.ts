import { getHeapStatistics } from 'node:v8'

/** The memory for JavaScript values of this process, in bytes. */
type Heap = { readonly usedBytes: number; readonly limitBytes: number }

/** The limit of V8 includes three half spaces of 16 MB for young values. The process ends when the old ones fill the rest. */
const youngBytes = 48 * 1024 * 1024

const readHeap = (): Heap => {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics()
  return { usedBytes, limitBytes: limitBytes - youngBytes }
}

/** Memory is scarce. `module` allocated most of what modules allocated since then; undefined if modules allocated little. */
type MemoryNotice = { readonly module: string | undefined; readonly text: string }

/**
 * Watches the memory of the process. Modules share it, so only allocations by the handlers of a module can be measured.
 * Measuring costs microseconds for each call, so it begins when half of the memory is used.
 */
export type MemoryWatch = {
  /** Code of a module begins. */
  enter(): void
  /** Code of this module has ended. */
  leave(module: string): void
  /** Call it in each tick. Returns a notice at most once a minute. */
  step(nowMs: number): MemoryNotice | undefined
}

const readEveryMs = 1_000
const measuredFrom = 0.5
const scarceFrom = 0.75
/** Garbage is counted as used. The lowest of these readings has little of it. */
const readingsKept = 3
const noticeEveryMs = 60_000
/** A module is named if it allocated at least this share of the growth. */
const namedShare = 0.25

const inMb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024).toLocaleString('en')} MB`

export const createMemoryWatch = (read: () => Heap = readHeap): MemoryWatch => {
  const allocated = new Map<string, number>()
  let readings: number[] = []
  let readMs = Number.NEGATIVE_INFINITY
  let noticedMs = Number.NEGATIVE_INFINITY
  let isMeasuring = false
  let startBytes = 0
  let enteredBytes: number | undefined

  const measure = (isOn: boolean, usedBytes: number): void => {
    if (isOn === isMeasuring) return
    isMeasuring = isOn
    startBytes = usedBytes
    allocated.clear()
  }

  const describe = (usedBytes: number, limitBytes: number): MemoryNotice => {
    const [most] = [...allocated].sort(([, one], [, other]) => other - one)
    const isNamed = most !== undefined && most[1] > 0 && most[1] >= namedShare * (usedBytes - startBytes)
    const used = `The server uses ${inMb(usedBytes)} of ${inMb(limitBytes)} of memory, and ends when it has no more.`
    return isNamed
      ? {
          module: most[0],
          text: `${used} The module ${most[0]} allocates the most: ${inMb(most[1])} since memory became scarce. Reload or disable it.`,
        }
      : {
          module: undefined,
          text: `${used} No handler of a module allocates much. The work of \`game.later\` is not measured: disable modules one by one to find the cause.`,
        }
  }

  return {
    enter: () => {
      enteredBytes = isMeasuring ? read().usedBytes : undefined
    },
    leave: (module) => {
      if (enteredBytes === undefined) return
      // A garbage collection in between hides what the call allocated.
      const bytes = Math.max(0, read().usedBytes - enteredBytes)
      enteredBytes = undefined
      allocated.set(module, (allocated.get(module) ?? 0) + bytes)
    },
    step: (nowMs) => {
      if (nowMs - readMs < readEveryMs) return undefined
      readMs = nowMs
      const { usedBytes, limitBytes } = read()
      readings = [...readings, usedBytes].slice(-readingsKept)
      const lowest = Math.min(...readings)
      if (usedBytes >= measuredFrom * limitBytes) measure(true, usedBytes)
      else if (lowest < measuredFrom * limitBytes) measure(false, usedBytes)
      const isScarce = readings.length === readingsKept && lowest >= scarceFrom * limitBytes
      if (!isScarce || nowMs - noticedMs < noticeEveryMs) return undefined
      noticedMs = nowMs
      return describe(lowest, limitBytes)
    },
  }
}
