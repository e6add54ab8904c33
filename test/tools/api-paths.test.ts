import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { allRoutes } from '../../functions/all-routes.ts'
import { schemaNames } from '../../functions/schema-names.ts'
import { createApiPaths } from '../../tools/generate/api-paths.ts'
import { printType } from '../../tools/generate/type-text.ts'

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

describe('the types of the API for clients', () => {
  it.each([
    [Type.String(), 'string'],
    [Type.Integer(), 'number'],
    [Type.Array(Type.Boolean()), 'readonly boolean[]'],
    [Type.Array(Type.Union([Type.Literal('a'), Type.Null()])), 'readonly ("a" | null)[]'],
    [Type.Array(Type.Array(Type.String())), 'readonly (readonly string[])[]'],
    [Type.Record(Type.String(), Type.Number()), '{ readonly [name: string]: number }'],
    [Type.Object({ a: Type.String(), 'b-c': Type.Optional(Type.Integer()) }), '{ readonly a: string readonly "b-c"?: number }'],
    [Type.Object({ a: Type.String({ description: 'ends */ here' }) }), '{ /** ends * / here */ readonly a: string }'],
    [Type.Object({}, { additionalProperties: false }), '{}'],
    [Type.Unknown(), 'unknown'],
    [Type.Unsafe({ type: 'string', enum: ['x', 'y'] }), '"x" | "y"'],
  ])('print %j as %s', (schema, text) => {
    expect(oneLine(printType(schema))).toBe(text)
  })

  it('allow slashes only in the names of configs and the ids of records', () => {
    const slashed = allRoutes.filter(({ path }) => path.includes('*')).map(({ path }) => path)
    expect(new Set(slashed)).toEqual(
      new Set([
        '/api/admin/configs/*name',
        '/api/admin/config-revisions/*name',
        // The library sends them as %2F.
        '/api/admin/modules/:name/records/:record/*id',
      ]),
    )
  })

  it('name parameters as OpenAPI does', () => {
    const printed = createApiPaths(allRoutes, schemaNames)
    expect(printed).toContain("readonly 'GET /api/admin/configs/{name}': {")
    expect(printed).toContain("readonly 'DELETE /api/admin/users/{email}/grants/{id}': {")
  })

  it('include every route except redirects and upgrades', () => {
    const printed = createApiPaths(allRoutes, schemaNames)
    const called = allRoutes.filter(({ responses }) => Object.keys(responses).some((status) => status.startsWith('2')))
    for (const { method, path } of called)
      expect(printed).toContain(`readonly '${method.toUpperCase()} ${path.replaceAll(/[*:](\w+)/g, '{$1}')}': {`)
    const others = allRoutes.filter((route) => !called.includes(route)).flatMap(({ responses }) => Object.keys(responses))
    expect(new Set(others)).toEqual(new Set(['302', '101']))
    expect(called.length).toBeGreaterThan(30)
  })
})
