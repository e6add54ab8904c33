import { check, feature } from '../check.ts'
import { expectProblem, expectStatus, expectThat, showAnswer } from '../report/expectations.ts'

const nowhere = ['/api', '/api/admin', '/API/classes', '/api/nothing', '/index.html', '/.env', '/package.json']

/** Addresses that a gateway may turn into another one with a normal spelling. */
const untidy: readonly (readonly [string, string])[] = [
  ['/api/classes/', '/api/classes'],
  ['//api/classes', '/api/classes'],
  ['/api/./classes', '/api/classes'],
  ['/api/admin/../classes', '/api/classes'],
]

export const unknownAddresses = feature('Unknown addresses', [
  ...nowhere.map((target) =>
    check('nothing', `GET ${target} answers 404`, async ({ ask }) => {
      expectProblem(await ask('nobody', `GET ${target}`), 404, 'not-found')
    }),
  ),
  ...untidy.map(([target, tidy]) =>
    check('nothing', `GET ${target} answers 404, or as ${tidy} if a gateway normalizes addresses`, async ({ ask }) => {
      const answer = await ask('nobody', `GET ${target}`, { odd: true })
      if (answer.status === 404) return
      const plain = await ask('nobody', `GET ${tidy}`)
      expectThat(answer.status === plain.status && answer.text === plain.text, '404', () => showAnswer(answer))
    }),
  ),
  check('nothing', 'that do not decode answer 400', async ({ ask }) => {
    expectProblem(await ask('nobody', 'GET /readyz?q=%zz'), 400, 'bad-request')
    for (const target of ['/problems/%zz', '/problems/%ff'])
      expectStatus(await ask('nobody', `GET ${target}`, { odd: true }), 400)
  }),
])
