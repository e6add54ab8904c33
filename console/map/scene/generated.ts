import { call } from '../../state/api.ts'
import { type Columns, nameColumn } from './columns.ts'
import { type Area, columnSize } from './view.ts'

/** Columns asked for at once: more than a screen shows while they can be told apart. */
const sideMax = 512

/** What is known of an area; of what is beyond nothing is. */
export type Generated = { readonly area: Area; readonly columns: Columns }

/** The columns of an area that are generated; nothing where the area is too large to ask. */
export const loadGenerated = async (world: string, area: Area, signal: AbortSignal): Promise<Generated | undefined> => {
  const [minCx, minCz, maxCx, maxCz] = [area.minX, area.minZ, area.maxX, area.maxZ].map((block) => Math.floor(block / columnSize))
  if (minCx === undefined || minCz === undefined || maxCx === undefined || maxCz === undefined) return undefined
  if (maxCx - minCx > sideMax || maxCz - minCz > sideMax) return undefined
  const query = { world, minCx, maxCx, minCz, maxCz }
  const { body } = await call('GET /api/admin/chunks/discovered', { query, signal })
  return { area, columns: new Set(body.map(({ cx, cz }) => nameColumn(cx, cz))) }
}
