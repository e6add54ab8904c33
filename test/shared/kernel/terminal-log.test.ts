import { describe, expect, it } from '@jest/globals'
import { createLog } from '../../../shared/kernel/log.ts'
import { formatForTerminal } from '../../../shared/kernel/terminal-log.ts'

const format = (write: (log: ReturnType<typeof createLog>) => void): string => {
  let shown = ''
  write(
    createLog('trace', 'gatehouse', {
      write: (line) => {
        shown += formatForTerminal(line)
      },
    }),
  )
  return shown
}

describe('the log on a terminal', () => {
  it('shows a request as one short line', () => {
    const facts = { requestId: 'a-b', method: 'POST', path: '/auth/login', status: 200, elapsedMs: 61.6 }
    expect(format((log) => log.info(facts, 'request'))).toMatch(/^\d\d:\d\d:\d\d POST \/auth\/login 200 62 ms\n$/)
  })

  it('shows the level of a warning, its fields, and the stack of an error', () => {
    const shown = format((log) => log.warn({ world: 'a\u001b[2J', err: new Error('no room') }, 'not saved'))
    expect(shown).toMatch(/^\d\d:\d\d:\d\d WARN not saved world="a\\u001b\[2J"\n {2}Error: no room\n {6}at /)
  })

  it('passes on lines that are not JSON', () => {
    expect(formatForTerminal('words\n')).toBe('words\n')
  })
})
