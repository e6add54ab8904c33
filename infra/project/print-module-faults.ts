import type { Log } from '../../shared/kernel/log.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The fault of a handler in words, with its place as compilers print it. Undefined for other lines of the log. */
const describeFault = (fields: object): string | undefined => {
  const { module, handler, cause, where, fault } = fields as Readonly<Record<string, unknown>>
  if (!isText(module) || !isText(handler) || !isText(cause)) return undefined
  const id = isText(fault) ? ` (${fault})` : ''
  return `Fault in the module ${module}: ${handler} failed${id}.\n  ${isText(where) ? `${where}: ` : ''}${cause}`
}

/** The log, which prints faults of handlers of modules as plain text, at any level of the log. */
export const printModuleFaults = (log: Log, print: (text: string) => void): Log => ({
  debug: (fields, message) => log.debug(fields, message),
  info: (fields, message) => log.info(fields, message),
  warn: (fields, message) => log.warn(fields, message),
  error: (fields, message) => {
    const text = describeFault(fields)
    if (text === undefined) log.error(fields, message)
    else print(text)
  },
  child: (fields) => printModuleFaults(log.child(fields), print),
})
