import { AppError } from '../../kernel/errors.ts'
import type { WorldRecord } from '../worlds/world.ts'
import type { Zone } from './zone.ts'
import type { ZoneServiceDeps } from './zone-service.ts'

/** Returns a public warning if the blocks of a zone cannot be read. Checks each world once. */
export type FindWarning = (zone: Zone) => Promise<string | undefined>

type World = { readonly record: WorldRecord } | { readonly warning: string }

const warningOf = (error: unknown): string => {
  if (error instanceof AppError && error.slug === 'world-unusable') return error.publicDetail
  throw error
}

/** For one response: results are cached without expiry. */
export const createFindWarning = ({ chunks, worlds }: Pick<ZoneServiceDeps, 'chunks' | 'worlds'>): FindWarning => {
  const cache = new Map<string, World>()

  const look = async (name: string): Promise<World> => {
    const record = await worlds.findWorld(name)
    if (record === undefined) return { warning: `The world ${name} no longer exists.` }
    try {
      await chunks.hasMany(record, [])
      return { record }
    } catch (error) {
      return { warning: warningOf(error) }
    }
  }

  return async (zone) => {
    const world = cache.get(zone.world) ?? (await look(zone.world))
    cache.set(zone.world, world)
    if ('warning' in world) return world.warning
    try {
      const isGenerated = await chunks.hasMany(world.record, zone.chunks)
      const missing = isGenerated.filter((isThere) => !isThere).length
      return missing === 0 ? undefined : `Missing from the world: ${missing} of the zone’s ${zone.chunks.length} chunks.`
    } catch (error) {
      return warningOf(error)
    }
  }
}
