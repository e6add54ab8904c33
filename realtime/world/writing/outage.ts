import type { LoadedColumn } from '../columns/loaded-world.ts'
import type { EditWriter } from './chunk-writer.ts'

/** A time in which edits cannot be stored. */
export type Outage = {
  /** The reason, or undefined if there is no outage. */
  reason(): string | undefined
  /** Writes the undone columns again until it succeeds, because a failed write may still have arrived. They stay in memory. */
  begin(reason: string, columns: readonly LoadedColumn[]): void
  /** Checks once a second whether the outage has ended. After a lost lease it never ends. */
  step(): void
}

export type OutageDeps = {
  readonly writer: Pick<EditWriter, 'writeColumns'>
  readonly nowMs: () => number
  readonly reasonOf: (error: unknown) => string
}

const probeEveryMs = 1000

export const createOutage = ({ writer, nowMs, reasonOf }: OutageDeps): Outage => {
  const doubtful = new Set<LoadedColumn>()
  let reason: string | undefined
  let probeAtMs = 0
  let isProbing = false
  let finish: (() => void) | undefined

  const end = (): void => {
    for (const column of doubtful) column.writesPending -= 1
    doubtful.clear()
    reason = undefined
  }

  const goOn = (why: string): void => {
    reason = why
    probeAtMs = nowMs() + probeEveryMs
  }

  const probe = (): void => {
    isProbing = true
    writer.writeColumns(doubtful).then(
      () => {
        finish = end
      },
      (error: unknown) => {
        finish = () => goOn(reasonOf(error))
      },
    )
  }

  return {
    reason: () => reason,
    begin: (why, columns) => {
      goOn(why)
      for (const column of columns) {
        if (doubtful.has(column)) continue
        doubtful.add(column)
        column.writesPending += 1
      }
    },
    step: () => {
      if (finish !== undefined) {
        finish()
        finish = undefined
        isProbing = false
      } else if (reason !== undefined && reason !== 'lease-lost' && !isProbing && nowMs() >= probeAtMs) probe()
    },
  }
}
