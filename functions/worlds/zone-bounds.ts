import type { ChangeFilter } from '../../shared/domain/history/find-changes.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { chunkKey } from '../../shared/rules/positions.ts'
import { wholeWorld } from './block-box.ts'

/** The blocks of a zone; no bounds without a zone. Throws AppError `not-found`, or `rule-broken` for a zone of another world. */
export const findZoneBounds = async (
  zones: Pick<ZoneService, 'getZone'>,
  world: Pick<WorldRecord, 'name'>,
  id: string | undefined,
): Promise<Pick<ChangeFilter, 'columns' | 'box'>> => {
  if (id === undefined) return {}
  const { zone } = await zones.getZone(id)
  if (zone.world !== world.name) throw new AppError('unprocessable', 'rule-broken', `The zone is in the world "${zone.world}".`)
  const { chunks, yMin, yMax } = zone
  return {
    columns: new Set(chunks.map(({ cx, cz }) => chunkKey(cx, cz))),
    box: { ...wholeWorld, minY: yMin, maxY: yMax },
  }
}
