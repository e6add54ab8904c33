import { writeSync } from 'node:fs'

/** Ends the output with one line that scripts can read: `N passed, N failed, N skipped`. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests + results.numTodoTests
    process.once('exit', () => writeSync(1, `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`))
  }
}
