import { createOperator } from '../../realtime/commands/executor/operator.ts'
import { createLog } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { openServices } from '../../shared/services/services.ts'
import type { TokenTask } from './run-token.ts'

/** The services of `npm run token`. Logs warnings and errors only. */
export const openTokenTask = async (environment: Environment): Promise<TokenTask> => {
  const level = environment.logLevel === 'info' ? 'warn' : environment.logLevel
  const services = await openServices(environment, createLog(level, 'gatehouse-task'))
  const { accounts, accountStore, apiTokens, permissions, ids, close } = services
  return { accounts, accountStore, apiTokens, names: permissions.names, operator: createOperator(ids.uuid()), close }
}
