import { check, feature } from '../check.ts'
import { expectProblem } from '../expectations.ts'

const hostile = [
  'users.yaml',
  'Groups.yaml',
  'groups',
  'groups.yaml/',
  'groups.yaml%00',
  '..',
  '../server.yaml',
  '%2e%2e/server.yaml',
  '..%2fserver.yaml',
  'skills/../groups.yaml',
  'skills%5cattacks.yaml',
  'skills\\attacks.yaml',
  '..%5c..%5cpackage.json',
  '%2fetc%2fpasswd',
  '//groups.yaml',
  'constructor',
  '__proto__',
  'groups.yaml%20',
  './groups.yaml',
  '%252e%252e%252fserver.yaml',
]

export const configNames = feature('Names that are no config', [
  ...hostile.map((name) =>
    check('administrator', `${name} answers 404`, async ({ ask }) => {
      for (const folder of ['configs', 'config-revisions']) {
        const answer = await ask('administrator', `GET /api/admin/${folder}/${name}`)
        expectProblem(answer, 404, 'not-found')
      }
    }),
  ),
  check('write', 'are not written either', async ({ ask }) => {
    for (const name of hostile.filter((one) => !one.endsWith('/')))
      expectProblem(await ask('administrator', `PUT /api/admin/configs/${name}`, { yaml: '{}\n' }), 404, 'not-found')
  }),
  check('administrator', 'that do not decode answer 400', async ({ ask }) => {
    for (const name of ['%zz', '%ff', '%c0%ae%c0%ae/server.yaml'])
      expectProblem(await ask('administrator', `GET /api/admin/configs/${name}`), 400, 'bad-request')
  }),
])
