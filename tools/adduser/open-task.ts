import { createOperator } from '../../realtime/commands/executor/operator.ts'
import { createLog } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { openServices } from '../../shared/services/services.ts'
import type { Task } from './run-adduser.ts'

/** The services for a command-line task, and the operator who runs it. Logs warnings and errors only. */
export const openTask = async (environment: Environment): Promise<Task> => {
  const level = environment.logLevel === 'info' ? 'warn' : environment.logLevel
  const services = await openServices(environment, createLog(level, 'gatehouse-task'))
  return { accounts: services.accounts, operator: createOperator(services.ids.uuid()), close: services.close }
}
