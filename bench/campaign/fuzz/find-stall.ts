import type { Input } from './fuzz-kind.ts'

export type StallSearch = {
  readonly boundMs: number
  send(inputs: readonly Input[]): Promise<void>
  /** The longest stall since the last read. */
  readLagMs(): Promise<number>
}

/** Three times, to exclude other work of the machine. */
const repeats = 3

/**
 * Finds the input among `inputs` that holds the loop for more than `boundMs` every time it is sent alone; undefined without one.
 */
export const findStall = async (
  inputs: readonly Input[],
  search: StallSearch,
): Promise<{ readonly input: Input; readonly lagMs: number } | undefined> => {
  const measure = async (some: readonly Input[]): Promise<number> => {
    await search.readLagMs()
    await search.send(some)
    return search.readLagMs()
  }
  const [only] = inputs
  if (only === undefined) return undefined
  if (inputs.length === 1) {
    const lags: number[] = []
    for (let i = 0; i < repeats; i += 1) lags.push(await measure(inputs))
    const lagMs = Math.min(...lags)
    return lagMs > search.boundMs ? { input: only, lagMs } : undefined
  }
  const half = Math.ceil(inputs.length / 2)
  for (const part of [inputs.slice(0, half), inputs.slice(half)])
    if ((await measure(part)) > search.boundMs) {
      const found = await findStall(part, search)
      if (found !== undefined) return found
    }
  return undefined
}
