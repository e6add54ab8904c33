import type { ConformanceOptions } from './arguments/conformance-arguments.ts'
import type { Check, Feature, Kit, Need } from './check.ts'
import { NoAnswer } from './client/http-client.ts'
import { Mismatch } from './report/mismatch.ts'
import type { Outcome } from './report/outcome.ts'
import { Skipped } from './report/skipped.ts'

export type RunChecksDeps = {
  readonly kit: Kit
  readonly options: Pick<ConformanceOptions, 'credentials' | 'write'>
  /** Whether a check is selected. */
  readonly wanted: (feature: string, check: string) => boolean
  readonly report: (outcome: Outcome) => void
  readonly interrupted: AbortSignal
}

/** So many requests in a row without an answer mean that the server is gone. */
const silentMax = 3

const missingFor = (need: Need, { credentials, write }: RunChecksDeps['options']): string | undefined => {
  if (need === 'nothing') return undefined
  if (credentials.kind === 'none') return 'needs an administrator: --email or --token'
  if (need === 'administrator') return undefined
  if (write === 'nothing') return 'needs --write'
  return need === 'write-worlds' && write !== 'worlds-too' ? 'creates a world, which stays: needs --write=worlds' : undefined
}

type Result = Outcome extends infer One ? (One extends Outcome ? Omit<One, 'feature' | 'name'> : never) : never

const judge = async (run: Check['run'], kit: Kit): Promise<Result> => {
  try {
    await run(kit)
    return { result: 'passed' }
  } catch (error) {
    if (error instanceof Skipped) return { result: 'skipped', reason: error.message }
    if (error instanceof Mismatch) return { result: 'failed', expected: error.expected, got: error.got }
    if (error instanceof NoAnswer) return { result: 'failed', expected: 'an answer', got: error.message }
    // A server can send unforeseen answers. The other checks continue.
    return { result: 'failed', expected: 'an answer that the check can read', got: String(error) }
  }
}

/** Runs the selected checks of `features` in order, and reports each when it ends. */
export const runChecks = async (features: readonly Feature[], deps: RunChecksDeps): Promise<void> => {
  const { kit, options, wanted, report, interrupted } = deps
  let silent = 0
  const make = async ({ need, run }: Check): Promise<Result> => {
    const missing = missingFor(need, options)
    if (missing !== undefined) return { result: 'skipped', reason: missing }
    if (interrupted.aborted) return { result: 'skipped', reason: 'interrupted' }
    if (silent >= silentMax) return { result: 'skipped', reason: 'the server no longer answers' }
    const result = await judge(run, kit)
    silent = result.result === 'failed' && result.expected === 'an answer' ? silent + 1 : 0
    return interrupted.aborted && result.result === 'failed' ? { result: 'skipped', reason: 'interrupted' } : result
  }
  for (const { name: featureName, checks } of features)
    for (const one of checks(kit.api))
      if (wanted(featureName, one.name)) report({ feature: featureName, name: one.name, ...(await make(one)) })
}
