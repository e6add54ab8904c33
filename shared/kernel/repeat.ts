/** Calls `work` repeatedly, each time `everyMs` after the last call has finished, until the returned function is called. */
export const repeat = (work: () => Promise<void>, everyMs: number): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const next = (): void => {
    if (!isStopped) timer = setTimeout(() => work().then(next, next), everyMs)
  }
  next()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
