import { describe, expect, it } from '@jest/globals'
import { createWanted } from '../../../tools/conformance/arguments/conformance-arguments.ts'
import { check, feature, type Kit, type Need } from '../../../tools/conformance/check.ts'
import { NoAnswer } from '../../../tools/conformance/client/http-client.ts'
import { countOutcomes, formatOutcome, formatSummary } from '../../../tools/conformance/report/format-report.ts'
import { Mismatch } from '../../../tools/conformance/report/mismatch.ts'
import type { Outcome } from '../../../tools/conformance/report/outcome.ts'
import { Skipped } from '../../../tools/conformance/report/skipped.ts'
import { type RunChecksDeps, runChecks } from '../../../tools/conformance/run-checks.ts'

const kit = { api: {} } as Kit
const options: RunChecksDeps['options'] = { credentials: { kind: 'token', token: { from: 'stdin' } }, write: 'worlds-too' }

const run = async (features: Parameters<typeof runChecks>[0], parts: Partial<RunChecksDeps> = {}): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  const interrupted = new AbortController().signal
  await runChecks(features, { kit, options, wanted: () => true, report: (one) => void outcomes.push(one), interrupted, ...parts })
  return outcomes
}

const fails = (name: string, error: Error) =>
  check('nothing', name, async () => {
    throw error
  })
const passes = (name: string, need: Need = 'nothing') => check(need, name, async () => undefined)
const resultsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ name, result }) => [name, result])

describe('a run of checks', () => {
  it('reports the result of each check in order', async () => {
    const outcomes = await run([
      feature('One', [passes('a'), fails('b', new Mismatch('200', '500')), fails('c', new Skipped('no world'))]),
      feature('Two', [passes('d')]),
    ])
    expect(outcomes).toEqual([
      { feature: 'One', name: 'a', result: 'passed' },
      { feature: 'One', name: 'b', result: 'failed', expected: '200', got: '500' },
      { feature: 'One', name: 'c', result: 'skipped', reason: 'no world' },
      { feature: 'Two', name: 'd', result: 'passed' },
    ])
    expect(countOutcomes(outcomes)).toEqual({ passed: 2, failed: 1, skipped: 1 })
  })

  it.each([
    ['none', 'nothing', ['passed', 'skipped', 'skipped', 'skipped']],
    ['token', 'nothing', ['passed', 'passed', 'skipped', 'skipped']],
    ['token', 'what-goes-again', ['passed', 'passed', 'passed', 'skipped']],
    ['token', 'worlds-too', ['passed', 'passed', 'passed', 'passed']],
  ] as const)('with the credentials %s and --write %s runs only the allowed checks', async (kind, write, results) => {
    const credentials = kind === 'none' ? ({ kind } as const) : options.credentials
    const checks = (['nothing', 'administrator', 'write', 'write-worlds'] as const).map((need) => passes(need, need))
    const outcomes = await run([feature('All', checks)], { options: { credentials, write } })
    expect(outcomes.map(({ result }) => result)).toEqual(results)
  })

  it('runs only the requested checks', async () => {
    const features = [feature('Zones', [passes('have names'), passes('have heights')]), feature('Worlds', [passes('have names')])]
    expect(resultsOf(await run(features, { wanted: createWanted('zones: *NAMES') }))).toEqual([['have names', 'passed']])
    expect(await run(features, { wanted: createWanted('names') })).toHaveLength(2)
    expect(await run(features, { wanted: createWanted('.*') })).toHaveLength(0)
  })

  it('stops when a server fails to answer three times in a row', async () => {
    const silent = () => fails('silent', new NoAnswer('no answer: ECONNREFUSED'))
    const outcomes = await run([
      feature('All', [silent(), silent(), passes('back'), silent(), silent(), silent(), passes('never')]),
    ])
    expect(outcomes.map(({ result }) => result)).toEqual(['failed', 'failed', 'passed', 'failed', 'failed', 'failed', 'skipped'])
    expect(outcomes[0]).toMatchObject({ expected: 'an answer', got: 'no answer: ECONNREFUSED' })
  })

  it('begins nothing after an interruption, and does not blame the server', async () => {
    const interruption = new AbortController()
    const interrupts = check('nothing', 'interrupts', async () => {
      interruption.abort()
      throw new Mismatch('200', '500')
    })
    const outcomes = await run([feature('All', [interrupts, passes('never')])], { interrupted: interruption.signal })
    expect(outcomes).toMatchObject([{ reason: 'interrupted' }, { reason: 'interrupted' }])
  })

  it('counts a check that throws as a failure, and continues', async () => {
    const outcomes = await run([feature('All', [fails('odd', new TypeError('no gzip')), passes('next')])])
    expect(outcomes).toMatchObject([{ result: 'failed', got: 'TypeError: no gzip' }, { result: 'passed' }])
  })
})

describe('the report', () => {
  const failed: Outcome = { feature: 'Zones', name: 'have names', result: 'failed', expected: '200', got: '500 oops' }
  const skipped: Outcome = { feature: 'Zones', name: 'have heights', result: 'skipped', reason: 'needs --write' }
  const passed: Outcome = { feature: 'Zones', name: 'are there', result: 'passed' }

  it('has one line per check, with the expected and the actual value of a failure', () => {
    expect([passed, skipped, failed].map(formatOutcome).join('')).toBe(
      '  ✓ are there\n  – have heights (skipped: needs --write)\n  ✗ have names\n      expected  200\n      got       500 oops\n',
    )
  })

  it('prints the totals, lists the failures again, and names data left behind', () => {
    expect(formatSummary([passed, skipped], [])).toBe('\n1 passed, 0 failed, 1 skipped\n')
    expect(formatSummary([passed, failed], ['the world x'])).toBe(
      '\nFailed:\n  Zones: have names\n\nLeft behind:\n  the world x\n\n1 passed, 1 failed, 0 skipped\n',
    )
  })
})
