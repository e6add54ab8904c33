import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { openWorldTask } from './world/open-world-task.ts'
import { createProgress } from './world/progress.ts'
import { runWorld } from './world/run-world.ts'

const stop = new AbortController()
const stopped = 130
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // After a second Ctrl-C, do not wait for the batch.
    if (stop.signal.aborted) process.exit(stopped)
    stop.abort()
  })

const complain = (text: string) => process.stderr.write(text)

export const main = endWith(
  runWorld({
    args: process.argv.slice(2),
    openTask: async () => openWorldTask(parseEnvironment(process.env, 'task'), complain),
    print: (text) => process.stdout.write(text),
    complain,
    begin: createProgress({ stream: process.stderr, isTerminal: process.stderr.isTTY === true }),
    signal: stop.signal,
  }),
)
