import { describe, expect, it } from '@jest/globals'
import { createLog } from '../../../shared/kernel/log.ts'

const write = (error: unknown) => {
  const lines: string[] = []
  createLog('info', 'test', { write: (line) => lines.push(line) }).warn({ err: error }, 'it failed')
  return JSON.parse(lines.join(''))
}

describe('an error in the log', () => {
  it('has its type, message, stack and own fields', () => {
    const error = Object.assign(new TypeError('no such thing'), { code: 'ENOENT', cause: new Error('the disk') })
    expect(write(error)).toMatchObject({
      msg: 'it failed',
      err: {
        type: 'TypeError',
        message: 'no such thing: the disk',
        stack: expect.stringContaining('log.test.ts'),
        code: 'ENOENT',
      },
    })
  })

  it('has none of the constants of a DOMException', () => {
    const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    expect(write(error).err).toEqual({ type: 'TimeoutError', message: error.message, stack: expect.any(String) })
  })

  it('can be a thrown value of another type', () => {
    expect(write('a word').err).toBe('a word')
  })
})
