import { startChild } from '../realtime/child.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import { measureServerSteps } from './at-a-server.ts'
import type { StoreSteps } from './store-steps.ts'

const counts = [10, 10_000, 100_000]
/** Larger files are only correct: each change visits all accounts. */
const flatMax = 10_000
const newAccountMs = 20
const heldMs = 30
const firstSignInMs = 300
/** A request may wait while the server reads an account that another process added. */
const waitMs = 200

const isSteps = (message: Record<string, unknown>): message is Record<string, unknown> & StoreSteps =>
  Array.isArray(message.steps)

const measure = async (count: number): Promise<readonly BenchResult[]> => {
  const child = startChild('accounts/store-steps.ts', [String(count)])
  try {
    const { steps, rssMb } = await child.wait((message) => (isSteps(message) ? message : undefined), 300_000)
    const results = steps.flatMap(({ step, ms, loopMs, heldMs: held }): BenchResult[] => {
      const figure = `${step}, beside ${count} accounts`
      const isNew = step === 'new account'
      return [
        { bench: 'accounts', figure, value: round(ms, 1), unit: 'ms' },
        {
          bench: 'accounts',
          figure: `the loop's own time: ${figure}`,
          value: round(loopMs, 1),
          unit: 'ms',
          ...(isNew && count <= flatMax && { target: `at most ${newAccountMs}`, met: loopMs <= newAccountMs }),
        },
        {
          bench: 'accounts',
          figure: `the loop held: ${figure}`,
          value: round(held, 1),
          unit: 'ms',
          // Servers do the first read before they listen.
          ...(step !== 'first read' && count <= flatMax && { target: `at most ${heldMs}`, met: held <= heldMs }),
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

const measureAtServer = async (count: number): Promise<readonly BenchResult[]> => {
  const steps = await measureServerSteps(count)
  const row = (what: string, value: number, unit: string, most?: number): BenchResult => ({
    bench: 'accounts',
    figure: `npm start beside ${count} accounts: ${what}`,
    value: round(value, 1),
    unit,
    ...(most !== undefined && count <= flatMax && { target: `at most ${most}`, met: value <= most }),
  })
  return [
    row('from the command to ready', steps.startMs, 'ms'),
    row('the first sign-in', steps.firstSignInMs, 'ms', firstSignInMs),
    row('a sign-in', steps.signInMs, 'ms'),
    row('a sign-in that makes an account, the disk included', steps.newAccountMs, 'ms'),
    row('adduser beside it, from its start to its end', steps.adduserMs, 'ms'),
    row('the longest wait for another’s /auth/me meanwhile', steps.waitMs, 'ms', waitMs),
    row('the longest sign-in while adduser works beside it', steps.signInWaitMs, 'ms', waitMs),
    row('memory of the process', steps.rssMib, 'MiB'),
  ]
}

/**
 * Benchmarks accounts of `users.yaml`, from ten to 100,000. It first measures steps of the store alone, with a second store in
 * the same process as the other writer, and then `npm start` over HTTP. It cannot show the cost of a password, whose hash would
 * hide the rest. "The loop held" counts only the loop's own work: waits for the disk show only at the server.
 */
export const accounts: Bench = {
  name: 'accounts',
  run: async () => {
    const results: BenchResult[] = []
    for (const count of counts) results.push(...(await measure(count)), ...(await measureAtServer(count)))
    return results
  },
}
