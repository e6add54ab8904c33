/** Node's exit code for a module that waits forever. */
const neverDone = 13

/**
 * Ends the process with the exit code of `work`, or with 1 if it rejects. If the event loop is empty before `work` has settled, the
 * exit code is 13, so that a calling script does not mistake it for success.
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
