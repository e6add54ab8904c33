import { startChild } from '../realtime/child.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import type { StoreSteps } from './store-steps.ts'

const counts = [10, 10_000, 100_000]
const newAccountMs = 20
const heldMs = 30

const isSteps = (message: Record<string, unknown>): message is Record<string, unknown> & StoreSteps =>
  Array.isArray(message.steps)

const measure = async (count: number): Promise<readonly BenchResult[]> => {
  const child = startChild('../accounts/store-steps.ts', [String(count)])
  try {
    const { steps, rssMb } = await child.wait((message) => (isSteps(message) ? message : undefined), 300_000)
    const results = steps.flatMap(({ step, ms, heldMs: held }): BenchResult[] => {
      const figure = `${step}, beside ${count} accounts`
      const isNew = step === 'new account'
      return [
        {
          ...{ bench: 'accounts', figure, value: round(ms, 1), unit: 'ms' },
          ...(isNew && { target: `at most ${newAccountMs}`, met: ms <= newAccountMs }),
        },
        {
          ...{ bench: 'accounts', figure: `the loop held: ${figure}`, value: round(held, 1), unit: 'ms' },
          // Servers make the first read before they listen.
          ...(step !== 'first read' && { target: `at most ${heldMs}`, met: held <= heldMs }),
        },
      ]
    })
    return [
      ...results,
      { bench: 'accounts', figure: `memory of two stores with ${count} accounts each`, value: round(rssMb, 0), unit: 'MB' },
    ]
  } finally {
    await child.stop()
  }
}

/**
 * The accounts of `users.yaml`, from ten to 100,000. It cannot show what a person waits for at a server: it has
 * no HTTP, no password and no audit log. The other process that adds accounts is a second store in this one.
 */
export const accounts: Bench = {
  name: 'accounts',
  run: async () => {
    const results: BenchResult[] = []
    for (const count of counts) results.push(...(await measure(count)))
    return results
  },
}
