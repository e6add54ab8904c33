import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { commonFields } from '../../../../functions/http/openapi/common-fields.ts'
import { describeApi } from '../../../../functions/service/describe-api.ts'

const document = JSON.parse(JSON.stringify(await describeApi(async () => allRoutes, 'http://127.0.0.1')))

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object in a document with its address. Examples are not part of it. */
const objectsIn = (value: unknown, at = ''): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => objectsIn(one, `${at}/${index}`))
  if (!isRecord(value)) return []
  const inside = Object.entries(value).flatMap(([key, one]) => (/^examples?$/.test(key) ? [] : objectsIn(one, `${at}/${key}`)))
  return [[at, value], ...inside]
}

const everyObject = objectsIn(document)
const operations = everyObject.filter(([, { operationId }]) => operationId !== undefined)
const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }))

describe('the fields of the API description', () => {
  it('all have a description', () => {
    const without = everyObject.flatMap(([at, { properties }]) =>
      Object.entries(isRecord(properties) && !at.endsWith('/properties') ? properties : {})
        .filter(([, field]) => isRecord(field) && field.description === undefined && field.$ref === undefined)
        .map(([name]) => `${at}/${name}`),
    )
    expect(without).toEqual([])
  })

  it('and all parameters have a description', () => {
    const without = operations.flatMap(([, { operationId, parameters }]) =>
      (Array.isArray(parameters) ? parameters : [])
        .filter(({ description }) => description === undefined)
        .map(({ name }) => `${operationId}: ${name}`),
    )
    expect(without).toEqual([])
  })

  it('use every common description', () => {
    const used = new Set(everyObject.map(([, { description }]) => description))
    expect(Object.entries(commonFields).filter(([, description]) => !used.has(description))).toEqual([])
  })
})

describe('the examples of the API description', () => {
  const contents = everyObject.flatMap(([at, { content }]) =>
    Object.entries(isRecord(content) ? content : {}).map(([type, media]) => [`${at} ${type}`, type, media] as const),
  )

  it('exist for every body except binary ones', () => {
    expect(contents.length).toBeGreaterThan(500)
    const without = contents.filter(
      ([, , media]) =>
        isRecord(media) && media.example === undefined && isRecord(media.schema) && media.schema.format !== 'binary',
    )
    expect(without.map(([at]) => at)).toEqual([])
  })

  it('fit their schemas', () => {
    // Most answers share the schema of problems.
    const validators = new Map<string, ReturnType<typeof ajv.compile>>()
    const validatorOf = (fits: unknown) => {
      const key = JSON.stringify(fits)
      const validate = validators.get(key) ?? ajv.compile({ ...(isRecord(fits) ? fits : {}), components: document.components })
      validators.set(key, validate)
      return validate
    }
    const wrong = contents.flatMap(([at, type, media]) => {
      if (!isRecord(media) || media.example === undefined) return []
      const { example, schema } = media
      const lines = isRecord(schema) ? schema.contentSchema : undefined
      const [fits, value] = type.endsWith('ndjson') ? [lines, [JSON.parse(String(example))]] : [schema, example]
      const validate = validatorOf(fits)
      return validate(value) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`]
    })
    expect(wrong).toEqual([])
  })
})

describe('tags and entity tags', () => {
  it('describes each tag in reading order', () => {
    const used = new Set(operations.flatMap(([, { tags }]) => tags))
    expect(document.tags.map(({ name }: { name: string }) => name)).toEqual(
      [...used].sort((one, other) => {
        const names = document.tags.map(({ name }: { name: string }) => name)
        return names.indexOf(one) - names.indexOf(other)
      }),
    )
    expect(document.tags[0].name).toBe('sign-in')
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  it('has If-Match for guarded writes, and If-None-Match with 304 for reads with a tag', () => {
    const zone = document.paths['/api/admin/instances/{id}']
    const headersOf = (operation: { parameters: { in: string; name: string }[] }) =>
      operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    expect(headersOf(zone.get)).toEqual(['If-None-Match'])
    expect(headersOf(zone.put)).toEqual(['If-Match'])
    expect(headersOf(zone.delete)).toEqual(['If-Match'])
    expect(zone.get.responses['304'].headers.ETag).toBeDefined()
    expect(zone.put.responses['200'].headers.ETag).toBeDefined()
    expect(zone.put.responses['304']).toBeUndefined()
  })
})

describe('the answers of the API description', () => {
  const answers = operations.flatMap(([, { operationId, responses }]) =>
    Object.entries(isRecord(responses) ? responses : {}).map(([status, answer]) => ({ operationId, status, answer })),
  )
  const headersOf = (wanted: string) =>
    answers
      .filter(({ status }) => status === wanted)
      .map(({ answer }) => Object.keys(isRecord(answer) && isRecord(answer.headers) ? answer.headers : {}))

  it.each([
    ['101', 'Upgrade'],
    ['202', 'Location'],
    ['302', 'Location'],
    ['401', 'WWW-Authenticate'],
    ['426', 'Upgrade'],
    ['429', 'Retry-After'],
  ])('with the status %s have the header %s', (status, header) => {
    expect(headersOf(status).length).toBeGreaterThan(2)
    for (const headers of headersOf(status)) expect(headers).toContain(header)
  })

  it('describe lines of JSON as text with a content schema', () => {
    const { schema } = document.paths['/api/admin/instances/{id}/blocks'].get.responses['200'].content['application/x-ndjson']
    expect(schema).toMatchObject({
      type: 'string',
      contentMediaType: 'application/x-ndjson',
      contentSchema: { type: 'array', items: { $ref: '#/components/schemas/ZoneBlock' } },
    })
  })

  it('without a success are ignored by the linters, and no others', async () => {
    const folder = new URL('../../../../tools/generators/', import.meta.url)
    const readYaml = async (name: string) => parse(await readFile(new URL(name, folder), 'utf8'))
    const without = (success: RegExp) =>
      operations
        .filter(([, { responses }]) => isRecord(responses) && !Object.keys(responses).some((status) => success.test(status)))
        .map(([at]) => at.replace('/paths/', ''))
        .sort()
    const addressOf = (pointer: string, prefix: string) =>
      pointer.replace(`${prefix}#/paths/`, '').replace('/responses', '').replaceAll('~1', '/')
    const redocly = (await readYaml('.redocly.lint-ignore.yaml'))['openapi.json']['operation-2xx-response'] as readonly string[]
    expect(redocly.map((pointer) => addressOf(pointer, '')).sort()).toEqual(without(/^2/))
    const spectral = (await readYaml('spectral.yaml')).overrides[0].files as readonly string[]
    expect(spectral.map((pointer) => addressOf(decodeURIComponent(pointer), 'openapi.json')).sort()).toEqual(without(/^[23]/))
  })
})

describe('the schema of problems', () => {
  it('accepts a slug that this version does not know, with members of its own', () => {
    const validate = ajv.compile(document.components.schemas.Problem)
    const problem = { type: '/problems/from-the-future', title: 'New', status: 409, detail: 'New.', instance: '/' }
    expect(validate({ ...problem, more: [1] })).toBe(true)
    expect(validate({ ...problem, type: 'https://example.com' })).toBe(false)
  })
})
