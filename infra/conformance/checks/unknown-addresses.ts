import { check, feature } from '../check.ts'
import { expectProblem } from '../expectations.ts'

const nowhere = [
  '/api',
  '/api/admin',
  '/api/classes/',
  '/API/classes',
  '//api/classes',
  '/api/classes/..',
  '/index.html',
  '/.env',
]

export const unknownAddresses = feature('Addresses that are none', [
  ...nowhere.map((target) =>
    check('nothing', `GET ${target} answers 404`, async ({ ask }) => {
      expectProblem(await ask('nobody', `GET ${target}`), 404, 'not-found')
    }),
  ),
  check('nothing', 'that do not decode answer 400', async ({ ask }) => {
    for (const target of ['/problems/%zz', '/problems/%ff', '/readyz?q=%zz'])
      expectProblem(await ask('nobody', `GET ${target}`), 400, 'bad-request')
  }),
])
