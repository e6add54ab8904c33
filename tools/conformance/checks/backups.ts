import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { expectBody, expectProblem, expectThat, show } from '../report/expectations.ts'

const Backups = Type.Object({
  backups: Type.Array(Type.Object({ id: Type.String(), at: Type.String(), sizeBytes: Type.Integer({ minimum: 0 }) })),
})
const unknown = '/api/admin/backups/20000101T000000Z-00000000'

export const backups = feature('Backups', [
  check('administrator', 'are listed, newest first, or managed elsewhere', async ({ ask }) => {
    const answer = await ask('administrator', 'GET /api/admin/backups')
    if (answer.status === 409) return expectProblem(answer, 409, 'managed-elsewhere')
    const ids = expectBody(answer, Backups).backups.map(({ id }) => id)
    expectThat(ids.join() === ids.toSorted().toReversed().join(), 'newest first', () => show(ids))
  }),
  check('administrator', 'are not found under an unknown id', async ({ ask }) => {
    for (const route of [`GET ${unknown}/download`, `POST ${unknown}/verify`, `DELETE ${unknown}`]) {
      const answer = await ask('administrator', route)
      if (answer.status === 409) expectProblem(answer, 409, 'managed-elsewhere')
      else expectProblem(answer, 404, 'not-found')
    }
  }),
])
