import { AppError } from '../kernel/errors.ts'
import type { FoundZone } from './zone.ts'

/** Whether a zone of that world may lie in a record that cannot be read. */
export const mayHideZoneOf = (world: string, found: FoundZone): boolean =>
  found.zone === undefined && (found.world ?? world) === world

/** The refusal of what cannot be decided without that zone. */
export const zoneUnreadable = (id: string): AppError =>
  new AppError('unavailable', 'service-unavailable', `The stored zone ${id} cannot be read, so nobody can tell where it is.`)
