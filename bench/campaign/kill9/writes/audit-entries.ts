import { ask } from '../../../../test/e2e/support/api.ts'
import { compareKeys, keysOf, readPages, type WriteKind } from '../written.ts'

const kind = 'audit'

/** The entry of each acknowledged admin write of any stream, found by the request id. */
export const auditEntries: WriteKind = {
  name: kind,
  stream: async () => undefined,
  compare: async (scene, all) => {
    const keys = keysOf(scene, kind, all)
    const listed = all ? await readPages(scene, '/api/admin/audit', 'entries') : []
    const ids = new Set(listed.map(({ requestId }) => requestId))
    return compareKeys(scene, keys, async (key) => {
      const requestId = key.slice(kind.length + 1)
      if (all) return ids.has(requestId) ? 'there' : null
      const { body } = await ask(scene.house.url(), `GET /api/admin/audit?requestId=${requestId}`, { token: scene.token })
      return Array.isArray(body.entries) && body.entries.length > 0 ? 'there' : null
    })
  },
}
