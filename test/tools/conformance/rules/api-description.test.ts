import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { createOpenapi } from '../../../../functions/http/openapi/openapi.ts'
import { schemaNames } from '../../../../functions/schema-names.ts'
import { addressOfNothing } from '../../../../tools/conformance/client/operation-requests.ts'
import { createSample, findWrongText, findWrongValue } from '../../../../tools/conformance/client/sample-values.ts'
import { findOperation, nameOperation, parseApiDescription } from '../../../../tools/conformance/rules/api-description.ts'

const document = JSON.parse(
  JSON.stringify(createOpenapi(allRoutes, { version: '1.2.3', baseUrl: 'http://127.0.0.1', names: schemaNames })),
)
const api = parseApiDescription(document)

describe('the description of an API', () => {
  it('has every operation with its permission', () => {
    expect(api.version).toBe('1.2.3')
    const permissions = new Map(api.operations.map((operation) => [nameOperation(operation), operation.permission]))
    for (const { method, path, permission } of allRoutes)
      expect(permissions.get(`${method.toUpperCase()} ${path.replaceAll(/[:*](\w+)/g, '{$1}')}`)).toBe(permission)
    expect(permissions.size).toBe(allRoutes.length)
  })

  it('has every problem with its status', () => {
    expect(api.problems.get('missing-permission')).toBe(403)
  })

  it.each([{}, [], 'text', undefined, { ...document, openapi: '3.0.0' }, { ...document, 'x-problems': undefined }])(
    'of another kind is refused with the reason',
    (other) => {
      expect(() => parseApiDescription(other)).toThrow(/openapi\.json does not describe a Gatehouse server/)
    },
  )

  it.each([
    ['GET', '/healthz?x=1', 'GET /healthz'],
    ['HEAD', '/api/docs/style.css', 'GET /api/docs/style.css'],
    ['HEAD', '/api/docs/script.js', 'GET /api/docs/script.js'],
    ['PUT', '/api/admin/instances/1/bounds', 'PUT /api/admin/instances/{id}/bounds'],
    ['GET', '/api/admin/configs/skills/attacks.yaml', 'GET /api/admin/configs/{name}'],
    ['GET', '/api/admin/configs', 'GET /api/admin/configs'],
    ['DELETE', '/api/admin/instances/1/bounds', undefined],
    ['GET', '/nowhere', undefined],
    ['GET', '/api/admin/users/', undefined],
  ])('finds the operation that serves %s %s', (method, target, name) => {
    const operation = findOperation(api, method, target)
    expect(operation && nameOperation(operation)).toBe(name)
  })

  it('gives every operation a valid address of a resource that does not exist', () => {
    for (const operation of api.operations) {
      const address = addressOfNothing(operation)
      expect(address).not.toMatch(/[{}]/)
      expect(findOperation(api, operation.method, address)).toBe(operation)
    }
  })
})

describe('sample values', () => {
  const zone = api.operations.find(({ operationId }) => operationId === 'createZone')
  const schema = zone?.requestBody?.content['application/json']?.schema ?? {}

  it('fit their schema', () => {
    expect(createSample(schema)).toEqual({ name: 'conformance', yMin: 0, yMax: 0, chunks: [{ cx: -1_875_000, cz: -1_875_000 }] })
  })

  it.each([
    [{ type: 'string' }],
    [{ type: 'integer', minimum: 0 }],
    [{ type: 'boolean' }],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
  ])('of the wrong type are wrong: %j', (one) => {
    expect(findWrongValue(one)).toEqual([])
  })

  it('of the wrong type do not exist where every value fits', () => {
    expect(findWrongValue({})).toBeUndefined()
    expect(findWrongText({ type: 'string' })).toBeUndefined()
  })

  it.each([
    [{ type: 'integer', minimum: 1 }, ''],
    [{ type: 'boolean' }, ''],
    [{ type: 'string', minLength: 1 }, ''],
    [{ type: 'string', maxLength: 254 }, 'x'.repeat(300)],
  ])('of the wrong form for a query %j', (one, text) => {
    expect(findWrongText(one)).toBe(text)
  })
})
