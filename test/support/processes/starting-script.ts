import { endOnSignalWhileStarting } from '../../../shared/platform/process/shutdown.ts'

/** Starts and never finishes starting. */
endOnSignalWhileStarting()
process.stdout.write('starting\n')
setInterval(() => {}, 1000)
