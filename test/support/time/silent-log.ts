import { Writable } from 'node:stream'
import { createLog, type Log } from '../../../shared/kernel/log.ts'

export const silentLog: Log = createLog('silent', 'test')

/** A log and the lines that were written to it, parsed. */
export const createCapturedLog = (): { log: Log; lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      for (const line of String(chunk).split('\n')) if (line) lines.push(JSON.parse(line))
      done()
    },
  })
  return { log: createLog('debug', 'test', destination), lines }
}
