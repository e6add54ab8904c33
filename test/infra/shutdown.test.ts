import { afterEach, describe, expect, it } from '@jest/globals'
import { type ChildScript, nextLine, startScript } from '../support/child-process.ts'

describe('a process that stops for a fault', () => {
  let child: ChildScript | undefined
  afterEach(() => {
    child?.process.kill('SIGKILL')
  })

  it('goes on with it at the first signal, which tells it no more than it knows, and ends with 1', async () => {
    child = startScript('test/support/stopping-script.ts', [])
    expect(await nextLine(child)).toBe('leaving')
    child.process.kill('SIGTERM')
    expect(await nextLine(child)).toBe('signalled')
    child.process.stdin.write('go\n')
    expect(await nextLine(child)).toBe('left')
    expect(await child.ended).toBe(1)
  })
})
