import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openDynamoForTests, startDynamo } from '../dynamodb/dynamodb.ts'
import { openChromium } from '../pages/chromium.ts'
import { openBlindChromium, openDrawingChromium } from '../pages/drawing-chromium.ts'
import { slowFlushes } from '../processes/strace.ts'
import { openRedisForTests, startRedis } from '../redis/redis.ts'
import { describeWhere, itWhere } from './guard.ts'
import { expectGuarded } from './guarded.ts'

/** Functions that need a guard, each with the guard in its error. */
const starts: readonly (readonly [string, () => unknown, string])[] = [
  ['startRedis', startRedis, 'describeOwnRedis'],
  ['openRedisForTests', openRedisForTests, 'describeRedis'],
  ['startDynamo', startDynamo, 'describeOwnDynamo'],
  ['openDynamoForTests', openDynamoForTests, 'describeDynamo'],
  ['openChromium', openChromium, 'describeBrowser'],
  ['openBlindChromium', openBlindChromium, 'describeBrowser'],
  ['openDrawingChromium', openDrawingChromium, 'describeBrowser'],
  ['slowFlushes', async () => slowFlushes(1, 'log'), 'itWithStrace'],
]

describe('a suite outside of a guard', () => {
  it.each(starts)('cannot call %s, on any machine', async (_name, start, guard) => {
    await expect(start()).rejects.toThrow(guard)
  })
})

describeWhere({ reason: 'is here', isMet: true, program: 'redis' })('a suite inside of a guard', () => {
  let isOpen = false
  beforeAll(() => {
    expectGuarded('redis', 'it')
    isOpen = true
  })
  afterAll(() => expect(isOpen).toBe(true))

  it('may start its program, and no other', () => {
    expect(() => expectGuarded('redis', 'describeRedis')).not.toThrow()
    expect(() => expectGuarded('chromium', 'describeBrowser')).toThrow('describeBrowser')
  })
  itWhere({ reason: 'is here', isMet: true, program: 'strace' })('adds the program of a guarded test', () => {
    expect(() => expectGuarded('strace', 'itWithStrace')).not.toThrow()
  })
  it('loses that program after the test', () => {
    expect(() => expectGuarded('strace', 'itWithStrace')).toThrow('itWithStrace')
  })
})

describe('modules outside of test/', () => {
  it('are loaded again for each suite when they import from test/', async () => {
    const { default: runtime }: { readonly default: { readonly foldersLoadedAgain: readonly string[] } } = await import(
      join(import.meta.dirname, '../jest/shared-runtime.cjs')
    )
    const root = join(import.meta.dirname, '../../..')
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
      .map(({ name }) => name)
    const importing = folders.filter((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some(
        (name) =>
          name.endsWith('.ts') &&
          !name.includes('node_modules') &&
          /from '[./]+\/test\//.test(readFileSync(join(root, folder, name), 'utf8')),
      ),
    )
    expect(importing).toContain('bench')
    for (const folder of importing) expect(runtime.foldersLoadedAgain).toContain(folder)
  })
})

describe('a guard whose program is missing', () => {
  it('is an error in CI, unless it is optional there', () => {
    const ci = process.env.CI
    process.env.CI = 'true'
    try {
      expect(() => describeWhere({ reason: 'needs a moon', isMet: false })('tides', () => undefined)).toThrow('needs a moon')
    } finally {
      if (ci === undefined) delete process.env.CI
      else process.env.CI = ci
    }
  })
})

describe('programs', () => {
  const root = join(import.meta.dirname, '../..')
  const starting =
    /(?:spawn|spawnSync|execFile|execFileSync)\(\s*'(?:redis-server|java|chromium|strace)'|import \{[^}]*(?<!type )\bchromium\b[^}]*\} from 'playwright-core'/

  it('are started by the files that check the guard, and by no others', () => {
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith('bench'),
    )
    const found = sources.filter((name) => starting.test(readFileSync(join(root, name), 'utf8')))
    expect(found.toSorted()).toEqual([
      'support/dynamodb/dynamodb-launcher.ts',
      'support/pages/chromium.ts',
      'support/pages/drawing-chromium.ts',
      'support/processes/strace.ts',
      'support/redis/redis-launcher.ts',
    ])
  })
})

type Reporter = { onRunComplete(contexts: unknown, results: object): void; getLastError(): Error | undefined }
type ReporterClass = new (
  globalConfig: { readonly testNamePattern: string },
  options: { readonly isCi: boolean; readonly write: (text: string) => void },
) => Reporter

const reporterFile = join(import.meta.dirname, '../jest/count-reporter.js')
const { default: CountReporter }: { readonly default: ReporterClass } = await import(reporterFile)

describe('the end of a run', () => {
  const result = (fullName: string, status: string) => ({ fullName, status })
  const results = (...testResults: readonly ReturnType<typeof result>[]) => ({
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    numPassedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [{ testFilePath: '/here.test.ts', testResults }],
  })
  const faultOf = (isCi: boolean, name: string, testNamePattern = '') => {
    let written = ''
    const write = (text: string) => {
      written += text
    }
    const reporter = new CountReporter({ testNamePattern }, { isCi, write })
    reporter.onRunComplete([], results(result('runs', 'passed'), result(name, 'pending')))
    expect(written).toMatch(/1 passed, 0 failed, 1 skipped\n$/)
    if (name.includes('SKIPPED')) expect(written).toContain(`SKIPPED 1 test in 1 suites: needs`)
    return reporter.getLastError()?.message
  }

  it('fails for a skip without a reason, and in CI for every skip that is not optional', () => {
    expect(faultOf(false, 'forgotten')).toMatch('skipped without a reason: ')
    expect(faultOf(false, 'forgotten', 'runs')).toBeUndefined()
    expect(faultOf(false, 'x (SKIPPED: needs chromium on the path) y')).toBeUndefined()
    expect(faultOf(true, 'x (SKIPPED: needs chromium on the path) y')).toMatch('skipped in CI: ')
    expect(faultOf(true, 'x (SKIPPED, optional: needs IPv6)')).toBeUndefined()
  })
})
