/** As Node ends a module that waits for ever. */
const neverDone = 13

/**
 * Ends the process with the code that `work` resolves with: 1 where it rejects, and 13 where nothing is left to do and it has not settled,
 * so that a script that called it does not go on as if the work were done.
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
