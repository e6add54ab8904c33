import { EventEmitter } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { readSecretLine } from '../../tools/conformance/arguments/conformance-arguments.ts'
import { listenForInterruption } from '../../tools/interruption.ts'
import { waitFor } from '../support/time/wait-for.ts'

const open = (env: Record<string, string> = {}) => {
  const stdout = new EventEmitter()
  const exits: number[] = []
  const process = Object.assign(new EventEmitter(), { stdout, env, ppid: 7, exit: (code: number) => void exits.push(code) })
  const clock = { ms: 0 }
  const signal = listenForInterruption({ process: process as unknown as NodeJS.Process, now: () => clock.ms })
  return { process, stdout, exits, clock, signal }
}

describe('an interruption', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('is %s, twice within half a second too', (name) => {
    const { process, clock, exits, signal } = open()
    process.emit(name)
    clock.ms = 400
    process.emit(name)
    expect({ aborted: signal.aborted, exits }).toEqual({ aborted: true, exits: [] })
  })

  it('ends the process at once with 130 the second time', () => {
    const { process, clock, exits } = open()
    process.emit('SIGINT')
    clock.ms = 600
    process.emit('SIGINT')
    expect(exits).toEqual([130])
  })

  it('is also that standard output is closed', () => {
    const { stdout, signal } = open()
    stdout.emit('error', new Error('EPIPE'))
    expect(signal.aborted).toBe(true)
  })

  it('is also the end of the npm that started the process', async () => {
    const { process, signal } = open({ npm_lifecycle_event: 'conformance' })
    process.ppid = 1
    await waitFor(() => signal.aborted)
  })
})

describe('a secret from standard input', () => {
  const pieces = async function* (...texts: readonly string[]) {
    yield* texts
  }

  it.each([[['secret']], [['secret\n']], [['sec', 'ret\r\nmore']], [['secret\n', 'more']]])(
    'is its first line: %j',
    async (texts) => {
      expect(await readSecretLine(pieces(...texts))).toBe('secret')
    },
  )
})
