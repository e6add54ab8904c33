import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { whenThreadsStarted } from '../../kernel/thread-pool.ts'

/** The variables for the address of a listener. */
type ListenVariables = { readonly host: string; readonly port: string }

/** The reason why a listener cannot open, and the variable to change; undefined for any other fault. */
export const describeListenFault = (fault: unknown, { host, port }: ListenVariables): string | undefined => {
  if (!(fault instanceof Error && 'code' in fault)) return undefined
  switch (fault.code) {
    case 'EADDRINUSE':
      return `Another process already uses that address. Stop it, or set ${port} to a free port.`
    case 'EACCES':
      return `You have no permission to listen on that port. Set ${port} to 1024 or above.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine does not have that address. Set ${host} to one of its addresses.`
    default:
      return undefined
  }
}

/** A detail of several lines already lists its faults. */
const explainRefusal = ({ publicDetail, errors = [] }: AppError): string =>
  publicDetail.includes('\n') ? publicDetail : [publicDetail, ...errors.map(describeFault)].join('\n  ')

const explain = (fault: unknown): string => {
  if (fault instanceof AppError) return explainRefusal(fault)
  const listening = describeListenFault(fault, { host: 'HOST', port: 'PORT' })
  if (listening !== undefined) return listening
  if (fault instanceof Error && 'code' in fault && typeof fault.code === 'string') return fault.message
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}

const describeFault = ({ pointer, line, column, message }: NonNullable<AppError['errors']>[number]): string =>
  [line === undefined ? undefined : `${line}:${column ?? 1}`, pointer, message].filter((part) => part !== undefined).join(' ')

const startsWaitMs = 5_000

/** Writes to standard error why the process cannot start and what to do, then ends it with 1. */
export const failStart = async (fault: unknown): Promise<never> => {
  process.stderr.write(`Gatehouse cannot start. ${explain(fault)}\n`)
  await Promise.race([whenThreadsStarted(), pause(startsWaitMs)])
  process.exit(1)
}
