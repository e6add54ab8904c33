const stepMs = 50

/**
 * Calls `end` after `ms`, unless the returned function is called first. It counts steps of at least one turn of the event loop each.
 * After a blocked turn, a single timer would end before data that has already arrived is read.
 */
export const startTimeLimit = (ms: number, end: () => void): (() => void) => {
  const wait = (leftMs: number): NodeJS.Timeout =>
    setTimeout(
      () => {
        if (leftMs <= stepMs) end()
        else timer = wait(leftMs - stepMs)
      },
      Math.min(leftMs, stepMs),
    )
  let timer = wait(ms)
  return () => clearTimeout(timer)
}
