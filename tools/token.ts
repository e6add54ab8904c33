import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { openTokenTask } from './token/open-token-task.ts'
import { runToken } from './token/run-token.ts'

export const main = endWith(
  runToken({
    args: process.argv.slice(2),
    openTask: async () => openTokenTask(parseEnvironment(process.env, 'task')),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
