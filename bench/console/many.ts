import { createCall } from '../../sdk/admin.ts'
import { formatEntry } from '../../shared/domain/accounts/store/users-file/users-file-entry.ts'
import { waitFor } from '../../test/support/time/wait-for.ts'

const createdAt = '2026-11-01T00:00:00.000Z'
const side = 12
const columns = Array.from({ length: side * side }, (_, at) => ({ cx: at % side, cz: Math.floor(at / side) }))
const atOnce = 8

/** The text of a `users.yaml` with that many accounts, from Person 0 on. */
export const listManyAccounts = (count: number): string =>
  `users:\n${Array.from({ length: count }, (_, at) =>
    formatEntry(
      {
        email: `person-${String(at).padStart(5, '0')}@example.com`,
        playerId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        displayName: `Person ${at}`,
        groups: ['player'],
        createdAt,
      },
      2,
    ),
  ).join('')}`

/** Draws zones of one column and two blocks of height each, as an administrator does. */
export const addZones = async (url: string, token: string, count: number): Promise<void> => {
  const call = createCall({ url, token: () => token })
  const { body: job } = await call('POST /api/admin/worlds/{world}/pregen', {
    params: { world: 'default' },
    body: { radius: side },
  })
  await waitFor(async () => (await call('GET /api/admin/jobs/{id}', { params: { id: job.id } })).body.state === 'done', 120_000)
  let next = 0
  const drawSome = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const y = 2 * Math.floor(at / columns.length)
      const chunk = columns[at % columns.length]
      if (chunk !== undefined)
        await call('POST /api/admin/instances', { body: { name: `Zone ${at}`, yMin: y, yMax: y + 1, chunks: [chunk] } })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, drawSome))
}
