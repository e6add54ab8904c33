import { ask } from '../../../test/e2e/support/api.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import type { House } from './house.ts'

/** A zone of the column at the origin, whose id it resolves to; made as soon as players who stand there have had it generated. */
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
