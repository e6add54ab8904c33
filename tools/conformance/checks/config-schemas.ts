import { Type } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { check, feature } from '../check.ts'
import { configWhitelist, readConfig } from '../client/read-config.ts'
import {
  expectBody,
  expectEqual,
  expectMediaType,
  expectProblem,
  expectStatus,
  expectThat,
  show,
} from '../report/expectations.ts'

const schemaNameOf = (name: string): string => `${name.replace(/\.yaml$/, '').replaceAll('/', '-')}.schema.json`

export const schemas = feature('Schemas of configs', [
  ...configWhitelist.map((name) =>
    check('administrator', `${schemaNameOf(name)} is a draft 2020-12 schema that accepts ${name}`, async (kit) => {
      const answer = await kit.ask('administrator', `GET /api/admin/schemas/${schemaNameOf(name)}`)
      expectStatus(answer, 200)
      expectMediaType(answer, 'application/schema+json')
      const schema = expectBody(answer, Type.Object({ $schema: Type.String() }))
      expectEqual('$schema', schema.$schema, 'https://json-schema.org/draft/2020-12/schema')
      const value: unknown = parse((await readConfig(kit, name)).text) ?? {}
      const validate = new Ajv2020({ strict: false, allErrors: false, validateFormats: false }).compile(schema)
      const holds = validate(value)
      expectThat(holds, `a ${name} that matches its schema`, () => show(validate.errors?.[0]))
    }),
  ),
  check('administrator', 'do not exist for other files', async ({ ask }) => {
    for (const name of ['users.schema.json', 'groups.yaml', 'groups', '..%2f..%2fpackage.json', 'constructor'])
      expectProblem(await ask('administrator', `GET /api/admin/schemas/${name}`), 404, 'not-found')
  }),
])
