import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { listenForInterruption } from './interruption.ts'
import { openWorldTask } from './world/open-world-task.ts'
import { createProgress } from './world/progress.ts'
import { runWorld } from './world/run-world.ts'

const complain = (text: string) => process.stderr.write(text)

export const main = endWith(
  runWorld({
    args: process.argv.slice(2),
    openTask: async () => openWorldTask(parseEnvironment(process.env, 'task'), complain),
    print: (text) => process.stdout.write(text),
    complain,
    begin: createProgress({ stream: process.stderr, isTerminal: process.stderr.isTTY === true }),
    signal: listenForInterruption({ process, now: () => performance.now() }),
  }),
)
