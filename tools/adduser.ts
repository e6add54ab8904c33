import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { openTask } from './adduser/open-task.ts'
import { runAdduser } from './adduser/run-adduser.ts'

export const main = endWith(
  runAdduser({
    args: process.argv.slice(2),
    openTask: async () => openTask(parseEnvironment(process.env, 'task')),
    stdin: process.stdin,
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
