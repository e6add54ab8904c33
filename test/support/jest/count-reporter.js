import { writeSync } from 'node:fs'
import { relative } from 'node:path'

/** Parses the reason that `describeWhere` and `itWhere` write into the name of a skipped test. */
const reasonOf = (name) => /\(SKIPPED(, optional)?: (.*?)\)(?: |$)/.exec(name)

const writeAtExit = (text) => process.once('exit', () => writeSync(1, text))

/**
 * Ends the output with each reason for skipped tests, and one line for scripts: `N passed, N failed, N skipped`. A skip without a
 * reason fails the run; in CI, so does every skip that is not optional. Tests excluded by `-t` do not count.
 */
export default class CountReporter {
  #hasNamePattern
  #isCi
  #write
  #faults = []

  constructor({ testNamePattern } = {}, { isCi = Boolean(process.env.CI), write = writeAtExit } = {}) {
    this.#hasNamePattern = Boolean(testNamePattern)
    this.#isCi = isCi
    this.#write = write
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests + results.numTodoTests
    const lines = this.#hasNamePattern ? [] : this.#describeSkips(results.testResults)
    lines.push(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`)
    this.#write(`${lines.join('\n')}\n`)
  }

  #describeSkips(suites) {
    const byReason = new Map()
    for (const { testFilePath, testResults } of suites)
      for (const { fullName, status } of testResults) {
        if (status !== 'pending' && status !== 'todo' && status !== 'skipped') continue
        const [, optional, reason = 'no reason'] = reasonOf(fullName) ?? []
        const entry = byReason.get(reason) ?? { tests: 0, files: new Set() }
        byReason.set(reason, { tests: entry.tests + 1, files: entry.files.add(testFilePath) })
        const where = `${relative(process.cwd(), testFilePath)}: ${fullName}`
        if (reason === 'no reason') this.#faults.push(`skipped without a reason: ${where}`)
        else if (this.#isCi && optional === undefined) this.#faults.push(`skipped in CI: ${where}`)
      }
    const rows = [...byReason].map(
      ([reason, { tests, files }]) => `SKIPPED ${tests} ${tests === 1 ? 'test' : 'tests'} in ${files.size} suites: ${reason}`,
    )
    return [...rows, ...this.#faults]
  }

  getLastError() {
    return this.#faults.length === 0 ? undefined : new Error(this.#faults.join('\n'))
  }
}
