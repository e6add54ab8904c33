import { createOperator } from '../realtime/commands/executor/operator.ts'
import { createLog } from '../shared/kernel/log.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { type Environment, parseEnvironment } from '../shared/platform/process/environment.ts'
import { openServices } from '../shared/services/services.ts'
import { runAdduser, type Task } from './adduser/run-adduser.ts'

/** The services for a command-line task, and the operator who runs it. Logs warnings and errors only. */
const openTask = async (environment: Environment): Promise<Task> => {
  const level = environment.logLevel === 'info' ? 'warn' : environment.logLevel
  const services = await openServices(environment, createLog(level, 'gatehouse-task'))
  return { accounts: services.accounts, operator: createOperator(services.ids.uuid()), close: services.close }
}

export const main = endWith(
  runAdduser({
    args: process.argv.slice(2),
    openTask: async () => openTask(parseEnvironment(process.env, 'task')),
    stdin: process.stdin,
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
