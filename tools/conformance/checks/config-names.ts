import { check, feature } from '../check.ts'
import { readConfig } from '../client/read-config.ts'
import { expectProblem, expectThat, showAnswer } from '../report/expectations.ts'

/** Names without a config, even after an address is normalized. */
const hostile = [
  'users.yaml',
  'Groups.yaml',
  'groups',
  'groups.yaml%00',
  'groups.yaml%20',
  '%2e%2e%2fusers.yaml',
  '..%2f..%2fpackage.json',
  'skills%2f..%2fusers.yaml',
  'skills%5cusers.yaml',
  '..%5c..%5cpackage.json',
  '%2fetc%2fpasswd',
  '%252e%252e%252fserver.yaml',
  'constructor',
  '__proto__',
]

/** Names that a gateway may turn into the name of a config, and which. */
const untidy: readonly (readonly [string, string])[] = [
  ['groups.yaml/', 'groups.yaml'],
  ['./groups.yaml', 'groups.yaml'],
  ['/groups.yaml', 'groups.yaml'],
  ['skills/../groups.yaml', 'groups.yaml'],
  ['%2e%2e/configs/groups.yaml', 'groups.yaml'],
  ['skills\\attacks.yaml', 'skills/attacks.yaml'],
  ['skills%5cattacks.yaml', 'skills/attacks.yaml'],
  ['skills%2f..%2fgroups.yaml', 'groups.yaml'],
]

/** A dry run of an invalid text: nothing can be stored. */
const harmless = '?dryRun=true'
const yaml = 'conformance-key: {'

export const configNames = feature('Names without a config', [
  ...hostile.map((name) =>
    check('administrator', `${name} answers 404`, async ({ ask }) => {
      for (const folder of ['configs', 'config-revisions']) {
        const answer = await ask('administrator', `GET /api/admin/${folder}/${name}`, { odd: true })
        expectProblem(answer, 404, 'not-found')
      }
    }),
  ),
  ...untidy.map(([name, config]) =>
    check('administrator', `${name} answers 404, or as ${config} if a gateway normalizes addresses`, async (kit) => {
      const answer = await kit.ask('administrator', `GET /api/admin/configs/${name}`, { odd: true })
      if (answer.status === 404) return
      const { text } = await readConfig(kit, config)
      expectThat(answer.status === 200 && answer.text === text, '404', () => showAnswer(answer))
    }),
  ),
  check('write', 'are not written either', async ({ ask }) => {
    for (const name of hostile) {
      const answer = await ask('administrator', `PUT /api/admin/configs/${name}${harmless}`, { yaml, odd: true })
      expectProblem(answer, 404, 'not-found')
    }
  }),
  check('administrator', 'do not lead to accounts', async ({ ask }) => {
    for (const name of ['../users.yaml', 'skills/../users.yaml', './users.yaml', '..\\users.yaml', '../../../users.yaml']) {
      const answer = await ask('administrator', `GET /api/admin/configs/${name}`, { odd: true })
      expectThat(answer.status >= 300 && !answer.text.includes('passwordHash'), 'no accounts', () => showAnswer(answer))
    }
  }),
  check('administrator', 'are refused if they do not decode', async ({ ask }) => {
    for (const name of ['%zz', '%ff', '%c0%ae%c0%ae/server.yaml']) {
      const answer = await ask('administrator', `GET /api/admin/configs/${name}`, { odd: true })
      // A gateway may refuse such an address by itself.
      expectThat([400, 404].includes(answer.status), '404, or 400 of a gateway', () => showAnswer(answer))
    }
  }),
])
