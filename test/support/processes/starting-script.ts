import { endOnSignalWhileStarting } from '../../../shared/platform/process/shutdown.ts'

/** Is starting, and never comes to an end of it. */
endOnSignalWhileStarting()
process.stdout.write('starting\n')
setInterval(() => {}, 1000)
