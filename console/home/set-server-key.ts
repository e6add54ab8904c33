import type { Path } from '../configs/schema.ts'
import { call, refreshPermissions } from '../state/api.ts'

const name = 'server.yaml'

/** Sets one key of server.yaml and keeps its comments. Returns the answer of the save. Throws if another admin saved the file first. */
export const setServerKey = async (path: Path, value: unknown): Promise<{ readonly requestId?: string }> => {
  const [{ body, etag }, { writeValue }] = await Promise.all([
    call('GET /api/admin/configs/{name}', { params: { name } }),
    import('../configs/config-document.ts'),
  ])
  const text = writeValue(body, path, value)
  const answer = await call('PUT /api/admin/configs/{name}', {
    params: { name },
    query: {},
    body: text,
    ...(etag !== undefined && { ifMatch: etag }),
  })
  await call('POST /api/admin/reload').catch(() => undefined)
  await refreshPermissions()
  return answer
}
