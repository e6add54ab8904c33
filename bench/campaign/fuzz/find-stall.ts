import type { Input } from './fuzz-kind.ts'

export type StallSearch = {
  readonly boundMs: number
  send(inputs: readonly Input[]): Promise<void>
  /** The longest stall since it was asked last. */
  readLagMs(): Promise<number>
}

/** Three times over, so that what else the machine does is not taken for it. */
const repeats = 3

/** The input among `inputs` that holds the loop for longer than `boundMs` each time that it is sent alone; undefined where none does. */
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
