import type { Answer } from '../../sdk/admin.ts'
import { call } from '../state/api.ts'

export type Zone = Answer<'GET /api/admin/instances/{id}'>['body']

/** A zone and the version that was read. Saving over a newer version fails. */
export type Versioned = { readonly zone: Zone; readonly etag: string | undefined }

export const readZone = async (id: string, signal?: AbortSignal): Promise<Versioned> => {
  const { body, etag } = await call('GET /api/admin/instances/{id}', { params: { id }, ...(signal && { signal }) })
  return { zone: body, etag }
}

/** What a write needs besides its body. */
export const over = ({ zone, etag }: Versioned) => ({ params: { id: zone.id }, ...(etag !== undefined && { ifMatch: etag }) })
