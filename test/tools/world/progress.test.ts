import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { createProgress } from '../../../tools/world/progress.ts'

const capture = () => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  return { stream, lines }
}

describe('the progress of a long work', () => {
  it('is a line for each tenth where there is no terminal, and the last one tells all', () => {
    const { stream, lines } = capture()
    const progress = createProgress({ stream, isTerminal: false })('Working', 2000)
    for (let step = 0; step < 1999; step += 1) progress.advance()
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe('Working: 200 of 2,000\n')
    progress.advance()
    progress.end()
    expect(lines.slice(9)).toEqual(['Working: 2,000 of 2,000\n'])
  })

  it('is a line now and then where nobody knows how long it takes', () => {
    const { stream, lines } = capture()
    const progress = createProgress({ stream, isTerminal: false })('Working', 0)
    progress.advance(10_000)
    progress.advance(5)
    progress.end()
    expect(lines).toEqual(['Working: 10,000\n', 'Working: 10,005\n'])
  })

  it('is a bar on a terminal, which is gone at the end', () => {
    const { stream, lines } = capture()
    const terminal = Object.assign(stream, { isTTY: true, columns: 80, cursorTo: () => true, clearLine: () => true })
    const progress = createProgress({ stream: terminal, isTerminal: true })('Working', 10)
    progress.advance(5)
    progress.end()
    expect(lines.join('')).toContain('Working')
    expect(lines.join('')).toContain('50% | 5 of 10')
  })
})
