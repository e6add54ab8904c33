import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { RawEnvironment } from '../../../shared/platform/process/environment.ts'
import { createPlaceOpener } from '../../../tools/migrate/places/open-place.ts'
import { runMigrate } from '../../../tools/migrate/run-migrate.ts'
import { silentLog } from '../time/silent-log.ts'

export type MigrationRun = {
  readonly exit: number
  readonly out: string
  readonly err: string
  /** The steps so far, and the progress of each. */
  readonly steps: readonly { readonly what: string; readonly total: number; seen: number }[]
}

type RunOptions = {
  /** Stops the run after this number of progress events. */
  readonly stopAfter?: number
  /** Called on each progress event. */
  readonly onProgress?: (what: string) => void
}

/** Runs `npm run migrate` in this process, and returns its output. */
export const runMigration = async (
  args: string,
  environment: RawEnvironment,
  { stopAfter = Number.POSITIVE_INFINITY, onProgress }: RunOptions = {},
): Promise<MigrationRun> => {
  const output = { out: '', err: '' }
  const steps: { what: string; total: number; seen: number }[] = []
  const stop = new AbortController()
  let progressed = 0
  const deps = { clock: systemClock, ids: systemIds, log: silentLog }
  const exit = await runMigrate({
    ...deps,
    args: args.split(' ').filter((arg) => arg !== ''),
    opener: createPlaceOpener(environment, deps, { patienceMs: 6000, keepsTrying: true }),
    print: (text) => {
      output.out += text
    },
    complain: (text) => {
      output.err += text
    },
    begin: (what, total) => {
      const step = { what, total, seen: 0 }
      steps.push(step)
      return {
        advance: (count = 1) => {
          step.seen += count
          progressed += 1
          onProgress?.(what)
          if (progressed === stopAfter) stop.abort()
        },
        end: () => undefined,
      }
    },
    signal: stop.signal,
  })
  return { exit, ...output, steps }
}
