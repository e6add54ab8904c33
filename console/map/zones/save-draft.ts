import { call } from '../../state/api.ts'
import { listColumns } from '../scene/columns.ts'
import type { Draft } from '../scene/draft.ts'
import { type MapZone, toMapZone } from '../scene/map-zones.ts'

/** Begins a draft from the saved zone. */
export const readDraft = async (id: string): Promise<Draft> => {
  const { body, etag } = await call('GET /api/admin/instances/{id}', { params: { id } })
  const { name, yMin, yMax, chunks } = body
  return { base: { zone: toMapZone(body), etag }, name, yMin, yMax, columns: new Set(chunks.map(({ cx, cz }) => `${cx},${cz}`)) }
}

const isSameColumns = ({ chunks }: MapZone, { columns }: Draft): boolean =>
  chunks.length === columns.size && chunks.every(({ cx, cz }) => columns.has(`${cx},${cz}`))

const create = async (world: string, { name, yMin, yMax, columns }: Draft): Promise<string> => {
  const { body } = await call('POST /api/admin/instances', { body: { world, name, yMin, yMax, chunks: listColumns(columns) } })
  return body.id
}

/** Saves the changes of a draft, each over the version that was read. Calls `note` after each saved part, in case a later one fails. */
export const saveDraft = async (world: string, draft: Draft, note: (draft: Draft) => void): Promise<string> => {
  if (draft.base === undefined) return create(world, draft)
  let { zone, etag } = draft.base
  const params = { id: zone.id }
  const take = (answer: { readonly body: Parameters<typeof toMapZone>[0]; readonly etag?: string }): void => {
    zone = toMapZone(answer.body)
    etag = answer.etag
    note({ ...draft, base: { zone, etag } })
  }
  const over = () => ({ params, ...(etag !== undefined && { ifMatch: etag }) })
  const { name, yMin, yMax, columns } = draft
  const bounds = async (): Promise<void> => {
    if (zone.yMin !== yMin || zone.yMax !== yMax)
      take(await call('PUT /api/admin/instances/{id}/bounds', { ...over(), body: { yMin, yMax } }))
  }
  // Saves a smaller height range first, because it makes room for more columns. A larger range is saved after the columns shrink.
  const isLower = yMax - yMin < zone.yMax - zone.yMin
  if (isLower) await bounds()
  if (!isSameColumns(zone, draft))
    take(await call('PUT /api/admin/instances/{id}/chunks', { ...over(), body: { chunks: listColumns(columns) } }))
  await bounds()
  if (zone.name !== name) take(await call('PUT /api/admin/instances/{id}', { ...over(), body: { name } }))
  return zone.id
}
