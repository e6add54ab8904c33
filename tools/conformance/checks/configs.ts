import { Type } from '@sinclair/typebox'
import { parse } from 'yaml'
import { check, feature } from '../check.ts'
import { configWhitelist, readConfig } from '../client/read-config.ts'
import {
  expectBody,
  expectEqual,
  expectEtag,
  expectHeader,
  expectMediaType,
  expectProblem,
  expectStatus,
  expectThat,
  show,
} from '../report/expectations.ts'

const Listed = Type.Object({
  name: Type.String(),
  summary: Type.String({ minLength: 1 }),
  effect: Type.Union([Type.Literal('reload'), Type.Literal('restart')]),
  isDefault: Type.Optional(Type.Boolean()),
  savedAt: Type.Optional(Type.String()),
  savedBy: Type.Optional(Type.String()),
})
const Revisions = Type.Array(Type.Object({ revision: Type.String(), savedAt: Type.String(), savedBy: Type.String() }))

export const configs = feature('Configs', [
  check('administrator', 'are listed, sorted', async ({ ask }) => {
    expectEqual(
      'the names',
      expectBody(await ask('administrator', 'GET /api/admin/configs'), Type.Array(Type.String())),
      configWhitelist,
    )
  }),
  check('administrator', 'are described with purpose, effect and origin', async ({ ask }) => {
    const files = expectBody(await ask('administrator', 'GET /api/admin/config-files'), Type.Array(Listed))
    expectEqual(
      'the names',
      files.map(({ name }) => name),
      configWhitelist,
    )
  }),
  ...configWhitelist.map((name) =>
    check('administrator', `${name} is YAML, with its tag, source and effect`, async (kit) => {
      const answer = await readConfig(kit, name)
      expectMediaType(answer, 'application/yaml')
      expectEtag(answer)
      expectHeader(answer, 'X-Config-Source', /^(data|default)$/)
      expectHeader(answer, 'X-Config-Effect', /^(reload|restart)$/)
      const value: unknown = parse(answer.text)
      expectThat(value === null || typeof value === 'object', 'a mapping', () => show(value))
    }),
  ),
  check('administrator', 'are found with their slashes in either form', async (kit) => {
    expectEqual(
      'the text',
      (await readConfig(kit, 'skills%2Fattacks.yaml')).text,
      (await readConfig(kit, 'skills/attacks.yaml')).text,
    )
  }),
  check('administrator', 'list their previous texts, newest first, twenty at most', async ({ ask }) => {
    for (const name of configWhitelist) {
      const answer = await ask('administrator', `GET /api/admin/config-revisions/${name}`)
      expectStatus(answer, 200)
      const revisions = expectBody(answer, Revisions)
      expectThat(revisions.length <= 20, '20 at most', () => String(revisions.length))
      const times = revisions.map(({ savedAt }) => savedAt)
      expectEqual('the times', times, times.toSorted().toReversed())
      expectProblem(
        await ask('administrator', `GET /api/admin/config-revisions/${name}?revision=none-of-that-name`),
        404,
        'not-found',
      )
    }
  }),
])
