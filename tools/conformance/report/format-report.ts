import type { Outcome } from './outcome.ts'

/** A check as one line, followed by lines with its fault. */
export const formatOutcome = (outcome: Outcome): string => {
  if (outcome.result === 'passed') return `  ✓ ${outcome.name}\n`
  if (outcome.result === 'skipped') return `  – ${outcome.name} (skipped: ${outcome.reason})\n`
  return `  ✗ ${outcome.name}\n      expected  ${outcome.expected}\n      got       ${outcome.got}\n`
}

export type Totals = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** The number of checks by result. */
export const countOutcomes = (outcomes: readonly Outcome[]): Totals => {
  const of = (result: Outcome['result']): number => outcomes.filter((outcome) => outcome.result === result).length
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
}

/** The end of the report: failed checks again, leftovers, and the totals. */
export const formatSummary = (outcomes: readonly Outcome[], left: readonly string[]): string => {
  const { passed, failed, skipped } = countOutcomes(outcomes)
  const failures = outcomes.filter(({ result }) => result === 'failed').map(({ feature, name }) => `  ${feature}: ${name}\n`)
  const failedList = failures.length === 0 ? '' : `\nFailed:\n${failures.join('')}`
  const leftList = left.length === 0 ? '' : `\nLeft behind:\n${left.map((what) => `  ${what}\n`).join('')}`
  return `${failedList}${leftList}\n${passed} passed, ${failed} failed, ${skipped} skipped\n`
}
