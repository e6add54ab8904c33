/** One figure of the bench, with its reference in the same run. */
export type BenchResult = {
  readonly bench: string
  readonly figure: string
  readonly value: number
  readonly unit: string
  readonly reference?: { readonly name: string; readonly value: number }
  /** `value` over the reference, or the reference over `value` if less is better, as in `target`. */
  readonly ratio?: number
  readonly target?: string
  readonly met?: boolean
}

export type Bench = { readonly name: string; readonly run: () => Promise<readonly BenchResult[]> }

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const round = (value: number, digits = 3): number => Number(value.toFixed(digits))
