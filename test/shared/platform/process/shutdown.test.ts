import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from '@jest/globals'
import { itWhere } from '../../../support/needs/guard.ts'
import { type ChildScript, nextLine, startScript } from '../../../support/processes/child-process.ts'

describe('a process that stops after a fault', () => {
  let child: ChildScript | undefined
  afterEach(() => {
    child?.process.kill('SIGKILL')
  })

  it('continues at the first signal, and exits with 1', async () => {
    child = startScript('test/support/processes/stopping-script.ts', [])
    expect(await nextLine(child)).toBe('leaving')
    child.process.kill('SIGTERM')
    expect(await nextLine(child)).toBe('signalled')
    child.process.stdin.write('go\n')
    expect(await nextLine(child)).toBe('left')
    expect(await child.ended).toBe(1)
  })
})

const script = 'test/support/processes/starting-script.ts'
const asFirst = ['--pid', '--fork', '--kill-child']
const itAsFirst = itWhere({
  reason: 'needs unshare and the right to create namespaces, to be the first process of one',
  isMet: spawnSync('unshare', [...asFirst, 'true']).status === 0,
  isOptional: true,
})

describe('a starting process', () => {
  it('is ended by a signal as if it had no handler', async () => {
    const child = startScript(script, [])
    expect(await nextLine(child)).toBe('starting')
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe('SIGTERM')
  })

  itAsFirst('is ended by a signal also as the first process of a container', async () => {
    const unshare: ChildProcessWithoutNullStreams = spawn('unshare', [...asFirst, process.execPath, '--import', 'tsx', script])
    const ended = once(unshare, 'close')
    try {
      await once(unshare.stdout, 'data')
      const inner = Number(readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8'))
      process.kill(inner, 'SIGTERM')
      expect(await ended).toEqual([143, null])
    } finally {
      unshare.kill('SIGKILL')
    }
  })
})
