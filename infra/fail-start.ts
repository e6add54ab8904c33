import { AppError } from '../shared/kernel/errors.ts'

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process listens on that address already. Stop it, or set PORT to a free port.',
  EACCES: 'This user may not listen on that port. Set PORT to 1024 or above.',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one that it has.',
}

/** A detail of several lines lists its faults already. */
const explainRefusal = ({ publicDetail, errors = [] }: AppError): string =>
  publicDetail.includes('\n') ? publicDetail : [publicDetail, ...errors.map(describeFault)].join('\n  ')

const explain = (fault: unknown): string => {
  if (fault instanceof AppError) return explainRefusal(fault)
  if (fault instanceof Error && 'code' in fault && typeof fault.code === 'string')
    return listenFaults[fault.code] ?? fault.message
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}

const describeFault = ({ pointer, line, column, message }: NonNullable<AppError['errors']>[number]): string =>
  [line === undefined ? undefined : `${line}:${column ?? 1}`, pointer, message].filter((part) => part !== undefined).join(' ')

/** Says on standard error why the process cannot start, and what to do, and ends it with 1. */
export const failStart = (fault: unknown): never => {
  process.stderr.write(`Gatehouse cannot start. ${explain(fault)}\n`)
  process.exit(1)
}
