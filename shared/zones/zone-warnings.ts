import { AppError } from '../kernel/errors.ts'
import type { Zone } from './zone.ts'
import type { ZoneServiceDeps } from './zone-service-deps.ts'

type Deps = Pick<ZoneServiceDeps, 'chunks' | 'worlds'>

const warningOf = async ({ chunks, worlds }: Deps, zone: Zone): Promise<string | undefined> => {
  const world = await worlds.findWorld(zone.world)
  if (world === undefined) return `The world ${zone.world} does not exist any more.`
  try {
    const there = await chunks.hasMany(world, zone.chunks)
    const missing = there.filter((isThere) => !isThere).length
    return missing === 0 ? undefined : `${missing} of its ${zone.chunks.length} columns are not in the world any more.`
  } catch (error) {
    if (error instanceof AppError && error.slug === 'world-unusable') return error.publicDetail
    throw error
  }
}

/** The zone with what stands in the way of reading its blocks, in words fit for the public. */
export const warnOf = async <T extends { readonly zone: Zone }>(
  deps: Deps,
  listed: T,
): Promise<T & { readonly warning?: string }> => {
  const warning = await warningOf(deps, listed.zone)
  return warning === undefined ? listed : { ...listed, warning }
}
