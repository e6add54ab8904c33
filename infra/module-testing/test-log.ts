import { relative } from 'node:path'
import type { SourcePlace } from '../../shared/domain/modules/module-source.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { LogLine } from './test-game.ts'

/** A log whose warnings and errors are kept. */
export const createTestLog = () => {
  const lines: LogLine[] = []
  const at = (context: object): Log => ({
    debug: () => {},
    info: () => {},
    warn: (fields, text) => void lines.push({ level: 'warn', text, fields: { ...context, ...fields } }),
    error: (fields, text) => void lines.push({ level: 'error', text, fields: { ...context, ...fields } }),
    child: (fields) => at({ ...context, ...fields }),
  })
  return { log: at({}), lines }
}

/** Handlers without a caller: a test does not see that they fail. */
const uncalled = /^(on\.|schedules\.|job |after$|every$)/

/** A line of the log about a fault that no call of a test sees, in words. Undefined for other lines. */
export const describeUnseen = ({ fields: { module, handler, cause, where } }: LogLine): string | undefined =>
  typeof handler === 'string' && uncalled.test(handler)
    ? `${handler} of the module ${module}: ${cause}${where === undefined ? '' : ` (${where})`}`
    : undefined

const framePattern = /(?:\(|at )(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/

/** The first place of a stack outside of packages, with source maps: a line of a module or of its test. */
export const findPlace = (stack: string): SourcePlace | undefined => {
  for (const frame of stack.split('\n')) {
    const [, path = '', line, column] = framePattern.exec(frame) ?? []
    if (path !== '' && !path.split(/[\\/]/).includes('node_modules'))
      return { file: relative(process.cwd(), path), line: Number(line), column: Number(column) }
  }
  return undefined
}
