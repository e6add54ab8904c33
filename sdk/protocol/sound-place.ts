import type { Position } from './generated/gatehouse.ts'

/** Whether a place has numbers that a body can be at; what is left out is 0. */
export const isSoundPlace = (place: Position | undefined): boolean =>
  place === undefined || [place.x, place.y, place.z, place.yaw, place.pitch].every((part) => Number.isFinite(part ?? 0))
