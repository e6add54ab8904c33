import { createOperator } from '../realtime/commands/executor/operator.ts'
import { createLog } from '../shared/kernel/log.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { type Environment, parseEnvironment } from '../shared/platform/process/environment.ts'
import { openServices } from '../shared/services/services.ts'
import { runToken, type TokenTask } from './token/run-token.ts'

/** The services of `npm run token`. Logs warnings and errors only. */
const openTokenTask = async (environment: Environment): Promise<TokenTask> => {
  const level = environment.logLevel === 'info' ? 'warn' : environment.logLevel
  const services = await openServices(environment, createLog(level, 'gatehouse-task'))
  const { accounts, accountStore, apiTokens, permissions, ids, close } = services
  return { accounts, accountStore, apiTokens, names: permissions.names, operator: createOperator(ids.uuid()), close }
}

export const main = endWith(
  runToken({
    args: process.argv.slice(2),
    openTask: async () => openTokenTask(parseEnvironment(process.env, 'task')),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
