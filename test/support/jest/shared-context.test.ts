import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..', '..', '..')
const suites = join('test', 'support', 'jest', 'suites')

type Told = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Returns jest's output for two suites in one worker, in the order of their sizes. */
const runSuites = (): Promise<string> =>
  new Promise((resolve) => {
    const jest = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')]
    const config = ['--config', join('test', 'jest.config.json'), '--testMatch', `**/${suites}/*-suite.ts`, suites]
    const env = { ...process.env, FORCE_COLOR: '0' }
    // The run is expected to fail.
    execFile(process.execPath, [...jest, ...config, '--runInBand', '--json'], { cwd: root, env }, (_error, stdout) =>
      resolve(stdout),
    )
  })

describe('two suites in one context', () => {
  it('are isolated, and each failure is reported by its test', async () => {
    const stdout = await runSuites()
    // The line of the counting reporter follows the JSON.
    const { testResults }: Told = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1))
    const told = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status, failureMessages }) => [title, status, failureMessages.join('').split('\n')[0]]),
    )
    expect(told).toEqual([
      ['passes, and leaves things behind', 'passed', ''],
      ['cannot replace a module', 'passed', ''],
      ['fails', 'failed', expect.stringContaining('expect(received).toBe(expected)')],
      ['leaves a rejecting promise', 'failed', 'Error: a promise was left'],
      ['throws outside of a test', 'failed', 'Error: thrown from a timer'],
      ['asserts less than it said', 'failed', expect.stringContaining('expect.assertions(1)')],
      ['leaves fake timers', 'passed', ''],
      ['has asserted nothing yet', 'failed', expect.stringContaining('expect.hasAssertions()')],
      ['finds no state of the suite before, except tested modules', 'passed', ''],
    ])
  })
})
