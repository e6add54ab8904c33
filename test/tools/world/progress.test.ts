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

describe('the progress of long work', () => {
  it('is a line for each tenth without a terminal, with the total on the last one', () => {
    const { stream, lines } = capture()
    const progress = createProgress({ stream, isTerminal: false })('Working', 2000)
    for (let step = 0; step < 1999; step += 1) progress.advance()
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe('Working: 200 of 2,000\n')
    progress.advance()
    progress.end()
    expect(lines.slice(9)).toEqual(['Working: 2,000 of 2,000\n'])
  })

  it('is an occasional line when the total is unknown', () => {
    const { stream, lines } = capture()
    const progress = createProgress({ stream, isTerminal: false })('Working', 0)
    progress.advance(10_000)
    progress.advance(5)
    progress.end()
    expect(lines).toEqual(['Working: 10,000\n', 'Working: 10,005\n'])
  })

  it('is a bar on a terminal, and disappears at the end', () => {
    const { stream, lines } = capture()
    const terminal = Object.assign(stream, { isTTY: true, columns: 80, cursorTo: () => true, clearLine: () => true })
    const progress = createProgress({ stream: terminal, isTerminal: true })('Working', 10)
    progress.advance(5)
    progress.end()
    expect(lines.join('')).toContain('Working')
    expect(lines.join('')).toContain('50% | 5 of 10')
  })
})
