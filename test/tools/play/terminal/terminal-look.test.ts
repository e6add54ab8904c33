import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { describe, expect, it } from '@jest/globals'
import { findTerminalLook } from '../../../../tools/play/terminal/terminal-look.ts'

const getColorDepth = WriteStream.prototype.getColorDepth
const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 90, getColorDepth })

describe('the look of a terminal', () => {
  it.each([
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'true'],
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'linux' }, 'none'],
    [{ TERM: 'dumb' }, 'none'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1', FORCE_COLOR: '3' }, 'none'],
  ])('by %j has colours: %s', (env, colours) => {
    expect(findTerminalLook({ output: terminal, env }).colours).toBe(colours)
  })

  it('has no colours and no width where the output is none', () => {
    const look = findTerminalLook({ output: new PassThrough(), env: { COLORTERM: 'truecolor', TERM: 'xterm-256color' } })
    expect([look.colours, look.columns()]).toEqual(['none', undefined])
  })

  it('tells the width of the moment', () => {
    const look = findTerminalLook({ output: terminal, env: {} })
    expect(look.columns()).toBe(90)
    terminal.columns = 50
    expect(look.columns()).toBe(50)
  })
})
