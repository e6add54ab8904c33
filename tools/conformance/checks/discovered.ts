import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import {
  expectBody,
  expectEqual,
  expectProblem,
  expectSorted,
  expectStatus,
  expectThat,
  showAnswer,
} from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const Columns = Type.Array(Type.Object({ cx: Type.Integer(), cz: Type.Integer() }))

const path = '/api/admin/chunks/discovered'

export const discovered = feature('Generated columns', [
  check('administrator', 'of a box are listed by cx, then cz, each once, inside the box', async ({ ask }) => {
    const answer = await ask('administrator', `GET ${path}?minCx=-8&maxCx=8&minCz=-8&maxCz=8`)
    if (answer.status === 404) throw new Skipped('there is no active world')
    expectStatus(answer, 200)
    const columns = expectBody(answer, Columns)
    expectSorted('columns', columns, (one, other) => one.cx - other.cx || one.cz - other.cz)
    expectThat(
      columns.every(({ cx, cz }) => Math.abs(cx) <= 8 && Math.abs(cz) <= 8),
      'columns of the box',
      () => showAnswer(answer),
    )
  }),
  check('administrator', 'of an empty box are an empty list', async ({ ask }) => {
    const answer = await ask('administrator', `GET ${path}?minCx=1874999&maxCx=1874999&minCz=-1875000&maxCz=-1875000`)
    if (answer.status === 404) throw new Skipped('there is no active world')
    expectStatus(answer, 200)
    expectEqual('the list', expectBody(answer, Columns), [])
  }),
  check('administrator', 'need all four edges or none, in order', async ({ ask }) => {
    expectProblem(await ask('administrator', `GET ${path}?minCx=0`), 400, 'bad-request')
    expectProblem(await ask('administrator', `GET ${path}?minCx=0&maxCx=0&minCz=0`), 400, 'bad-request')
    expectProblem(await ask('administrator', `GET ${path}?minCx=1&maxCx=0&minCz=0&maxCz=0`), 422, 'rule-broken')
  }),
  check('administrator', 'of an unknown world return 404', async ({ ask, name }) => {
    expectProblem(await ask('administrator', `GET ${path}?world=${name}`), 404, 'not-found')
  }),
])
