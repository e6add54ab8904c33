/** Keys that are in each line and not shown as fields on a terminal. */
const constants = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err'])
const ofRequests = new Set(['requestId', 'method', 'path', 'status', 'elapsedMs'])

const levels: Readonly<Record<number, string>> = { 10: 'TRACE', 20: 'DEBUG', 30: '', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

type Line = Readonly<Record<string, unknown>>

const describeFields = (line: Line, isLeftOut: (key: string) => boolean): readonly string[] =>
  Object.entries(line).flatMap(([key, value]) => (isLeftOut(key) ? [] : [`${key}=${JSON.stringify(value)}`]))

const describeMessage = (line: Line): readonly string[] => {
  const { msg, method, path, status, elapsedMs } = line
  if (msg !== 'request' || typeof elapsedMs !== 'number')
    return [String(msg), ...describeFields(line, (key) => constants.has(key))]
  const rest = describeFields(line, (key) => constants.has(key) || ofRequests.has(key))
  return [String(method), String(path), String(status), `${Math.round(elapsedMs)} ms`, ...rest]
}

const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null

/**
 * Formats a JSON line of the log for a terminal: local time, level, message and fields. A request looks like `POST /auth/login 200 62
 * ms`. The stack of an error follows. Other text is returned unchanged.
 */
export const formatForTerminal = (text: string): string => {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return text
  }
  if (!isLine(line)) return text
  const { level, time, err } = line
  const clock = new Date(String(time)).toTimeString().slice(0, 8)
  const words = [clock, levels[Number(level)] ?? '', ...describeMessage(line)].filter((word) => word !== '')
  const stack = isLine(err) && typeof err.stack === 'string' ? `\n  ${err.stack.replaceAll('\n', '\n  ')}` : ''
  return `${words.join(' ')}${stack}\n`
}
