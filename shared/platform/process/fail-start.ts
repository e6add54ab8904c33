import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { whenThreadsStarted } from '../../kernel/thread-pool.ts'

/** The variables that say where a listener listens. */
type ListenVariables = { readonly host: string; readonly port: string }

/** Why a listener could not open, and which of its variables to change; undefined for any other fault. */
export const describeListenFault = (fault: unknown, { host, port }: ListenVariables): string | undefined => {
  if (!(fault instanceof Error && 'code' in fault)) return undefined
  switch (fault.code) {
    case 'EADDRINUSE':
      return `Another process listens on that address already. Stop it, or set ${port} to a free port.`
    case 'EACCES':
      return `This user may not listen on that port. Set ${port} to 1024 or above.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no such address. Set ${host} to one that it has.`
    default:
      return undefined
  }
}

/** A detail of several lines lists its faults already. */
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

/** Says on standard error why the process cannot start, and what to do, and ends it with 1. */
export const failStart = async (fault: unknown): Promise<never> => {
  process.stderr.write(`Gatehouse cannot start. ${explain(fault)}\n`)
  await Promise.race([whenThreadsStarted(), pause(startsWaitMs)])
  process.exit(1)
}
