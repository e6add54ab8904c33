import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { configNames } from '../../../../shared/domain/configs/catalogue.ts'
import {
  createConfigSchema,
  findConfigOfSchema,
  type JsonSchema,
  schemaFileName,
} from '../../../../shared/domain/configs/config-schemas.ts'
import type { ConfigName } from '../../../../shared/domain/configs/declare/config-file.ts'

const root = resolve(import.meta.dirname, '../../../..')

type Key = { readonly path: string; readonly schema: JsonSchema; readonly isOptional: boolean }

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every key that a file can have, at any depth. `*` stands for any name or index. */
const listKeys = (schema: unknown, path = ''): Key[] => {
  if (!isSchema(schema)) return []
  const { properties = {}, patternProperties = {}, additionalProperties, items, required = [], ...rest } = schema
  const inner = [additionalProperties, items, ...Object.values(patternProperties as JsonSchema)].flatMap((one) =>
    listKeys(one, `${path}/*`),
  )
  const named = Object.entries(properties as JsonSchema).flatMap(([name, value]): Key[] => {
    const isOptional = !(required as string[]).includes(name)
    return [{ path: `${path}/${name}`, schema: value as JsonSchema, isOptional }, ...listKeys(value, `${path}/${name}`)]
  })
  const choices = [rest.anyOf, rest.oneOf, rest.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [...inner, ...named, ...choices.flatMap((choice) => listKeys(choice, path))]
}

const compile = (name: ConfigName) =>
  addFormats.default(new Ajv2020({ allErrors: true, strict: true })).compile(createConfigSchema(name))

describe.each(configNames)('the schema of %s', (name) => {
  const keys = listKeys(createConfigSchema(name))

  it('describes every key at any depth', () => {
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter(({ schema }) => String(schema.description ?? '').trim() === '').map(({ path }) => path)).toEqual([])
  })

  it('gives a default to every optional key, or describes its absence', () => {
    const silent = keys.filter(
      ({ schema, isOptional }) =>
        isOptional && !('default' in schema) && !/\b(?:without it|default|required|absent)\b/i.test(String(schema.description)),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('refuses unknown keys', () => {
    expect(compile(name)({ 'no-such-key': 1 })).toBe(false)
  })

  it('names itself, its draft and its file', () => {
    expect(createConfigSchema(name)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: schemaFileName(name),
      title: name,
      description: expect.stringMatching(/^[A-Z`].*\.$/),
      type: 'object',
    })
  })

  it('is a valid schema of draft 2020-12', () => {
    const ajv = addFormats.default(new Ajv2020())
    expect({ valid: ajv.validateSchema(createConfigSchema(name)), errors: ajv.errors }).toEqual({ valid: true, errors: null })
  })

  it('accepts an empty file', () => {
    const validate = compile(name)
    expect({ valid: validate({}), errors: validate.errors }).toEqual({ valid: true, errors: null })
  })

  it.each(['resources/config', 'resources/starter'])('accepts the file in %s on its own', (folder) => {
    const path = join(root, folder, name)
    const value: unknown = existsSync(path) ? (parse(readFileSync(path, 'utf8')) ?? {}) : {}
    const validate = compile(name)
    expect({ valid: validate(value), errors: validate.errors }).toEqual({ valid: true, errors: null })
  })

  it('accepts its own defaults', () => {
    const validate = addFormats
      .default(new Ajv2020({ allErrors: true, strict: true, useDefaults: true }))
      .compile(createConfigSchema(name))
    const value = {}
    expect({ valid: validate(value), errors: validate.errors }).toEqual({ valid: true, errors: null })
    expect({ valid: compile(name)(value) }).toEqual({ valid: true })
  })
})

describe('the names of schemas', () => {
  it('replace slashes with dashes, and can be reversed', () => {
    expect(schemaFileName('groups.yaml')).toBe('groups.schema.json')
    for (const name of configNames) {
      expect(schemaFileName(name)).toMatch(/^[a-z]+(-[a-z]+)*\.schema\.json$/)
      expect(findConfigOfSchema(schemaFileName(name))).toBe(name)
    }
    expect(new Set(configNames.map(schemaFileName)).size).toBe(configNames.length)
  })

  it.each(['groups.yaml', 'groups', 'users.schema.json', '../../groups.schema.json', 'Groups.schema.json', ''])(
    'have no config for "%s"',
    (filename) => {
      expect(findConfigOfSchema(filename)).toBeUndefined()
    },
  )
})
