import type { CommandCaller } from '../../../realtime/commands/command.ts'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'

/** The operator as a caller of commands: without a player and without switched-off commands. */
export const createOperatorCaller = (requestId: string): CommandCaller => ({
  actor: createOperator(requestId),
  disabled: new Set(),
})
