import { systemClock } from '../shared/kernel/clock.ts'
import { systemIds } from '../shared/kernel/ids.ts'
import { createLog } from '../shared/kernel/log.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { listenForInterruption } from './interruption.ts'
import { createPlaceOpener } from './migrate/places/open-place.ts'
import { runMigrate } from './migrate/run-migrate.ts'
import { createProgress } from './world/progress.ts'

const deps = { clock: systemClock, ids: systemIds, log: createLog('error', 'gatehouse-task') }

export const main = endWith(
  runMigrate({
    ...deps,
    args: process.argv.slice(2),
    opener: createPlaceOpener(process.env, deps),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    begin: createProgress({ stream: process.stderr, isTerminal: process.stderr.isTTY === true }),
    signal: listenForInterruption({ process, now: () => performance.now() }),
  }),
)
