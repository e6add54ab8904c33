/** As Node ends a module that waits for ever. */
const neverDone = 13

/**
 * Ends the process with the exit code that `work` resolves with, or with 1 if it rejects. If the event loop is empty before `work` has
 * settled, the code is 13, so that a calling script does not take the work for done.
 */
export const endWith = async (work: Promise<number>): Promise<void> => {
  process.exitCode = neverDone
  try {
    process.exitCode = await work
  } catch (error) {
    process.exitCode = 1
    throw error
  }
}
