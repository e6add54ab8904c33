import { once } from 'node:events'
import { stopOnSignal } from '../../../shared/platform/process/shutdown.ts'
import { silentLog } from '../time/silent-log.ts'

/** Stops after a fault, until input arrives on standard input, and reports each signal that it ignores in that time. */
const stop = stopOnSignal(
  [
    {
      name: 'players',
      run: async () => {
        process.stdout.write('leaving\n')
        await once(process.stdin, 'data')
        process.stdout.write('left\n')
      },
    },
  ],
  silentLog,
)
process.on('SIGTERM', () => process.stdout.write('signalled\n'))
stop('another node may run the world')
