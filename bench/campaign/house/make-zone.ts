import { ask } from '../../../test/e2e/support/api.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import type { House } from './house.ts'

/** Creates a zone of the column at the origin, once players have generated it; resolves to its id. */
export const makeZone = async (house: House): Promise<string> => {
  const token = await house.bossToken()
  const body = { name: 'Home', yMin: 0, yMax: 200, chunks: [{ cx: 0, cz: 0 }] }
  let id = ''
  await waitFor(async () => {
    const answer = await ask(house.url(), 'POST /api/admin/instances', { token, body })
    if (answer.status === 201) id = String(answer.body.id)
    return id !== ''
  }, 60_000)
  return id
}
