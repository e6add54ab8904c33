import type { Fault } from './errors.ts'

const faultsMax = 100

/** The first hundred faults, and how many more there are: an answer never outgrows what it answers by much. */
export const limitFaults = (faults: readonly Fault[]): readonly Fault[] => {
  const rest = faults.length - faultsMax
  return rest > 0 ? [...faults.slice(0, faultsMax), { message: `and ${rest} more faults` }] : faults
}
