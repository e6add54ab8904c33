import { systemClock } from '../shared/kernel/clock.ts'
import { systemIds } from '../shared/kernel/ids.ts'
import { createLog } from '../shared/kernel/log.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { createPlaceOpener } from './migrate/places/open-place.ts'
import { runMigrate } from './migrate/run-migrate.ts'
import { createProgress } from './world/progress.ts'

const stop = new AbortController()
const stopped = 130
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // After a second Ctrl-C, do not wait for the batch.
    if (stop.signal.aborted) process.exit(stopped)
    stop.abort()
  })

const deps = { clock: systemClock, ids: systemIds, log: createLog('error', 'gatehouse-task') }

export const main = endWith(
  runMigrate({
    ...deps,
    args: process.argv.slice(2),
    opener: createPlaceOpener(process.env, deps),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    begin: createProgress({ stream: process.stderr, isTerminal: process.stderr.isTTY === true }),
    signal: stop.signal,
  }),
)
