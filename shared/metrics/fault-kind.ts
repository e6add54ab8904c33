import { AppError } from '../kernel/errors.ts'

/** What kinds of faults metrics tell apart. */
export const faultKinds = ['conflict', 'unavailable', 'refused', 'fault'] as const
export type FaultKind = (typeof faultKinds)[number]

/** A conflict and an outage are themselves, whatever else an AppError says is a refusal, and anything else is our fault. */
export const faultKindOf = (fault: unknown): FaultKind => {
  if (!(fault instanceof AppError)) return 'fault'
  return fault.kind === 'conflict' || fault.kind === 'unavailable' ? fault.kind : 'refused'
}
