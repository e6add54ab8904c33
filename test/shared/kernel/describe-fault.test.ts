import { expect, it } from '@jest/globals'
import { type TSchema, Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'

const messageOf = (schema: TSchema, value: unknown): string | undefined => {
  const parsed = createParser(schema)(value)
  return parsed.ok ? undefined : parsed.faults[0]?.message
}

const cases: readonly (readonly [TSchema, unknown, string])[] = [
  [Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least 1 item'],
  [Type.Array(Type.String(), { maxItems: 2 }), ['a', 'b', 'c'], 'must have at most 2 items'],
  [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'b', 'a'], 'must not have an item twice: items 1 and 3 are the same'],
  [Type.String({ minLength: 1 }), '', 'must not be empty'],
  [Type.String({ minLength: 3 }), 'ab', 'must have at least 3 characters'],
  [Type.String({ maxLength: 1 }), 'ab', 'must have at most 1 character'],
  [Type.String({ pattern: '^a' }), 'b', 'must match the pattern ^a'],
  [Type.String({ format: 'uuid' }), 'b', 'must be a UUID, such as 5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10'],
  [Type.Record(Type.String(), Type.String(), { minProperties: 1 }), {}, 'must have at least 1 key'],
  [Type.Boolean(), 'yes', 'must be true or false'],
  [Type.Array(Type.String()), 'a', 'must be a list'],
  [Type.Number({ exclusiveMinimum: 0 }), 0, 'must be more than 0'],
  [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
  [Type.Integer({ maximum: 9 }), 10, 'must be at most 9'],
]

it.each(cases)('describes a value that does not fit %j in plain words', (schema, value, message) => {
  expect(messageOf(schema, value)).toBe(message)
})

it('describes a value that fits none of several forms', () => {
  const schema = Type.Union([Type.String(), Type.Object({ x: Type.Integer() })])
  const parsed = createParser(schema)(5)
  expect(parsed.ok ? [] : parsed.faults.map(({ message }) => message)).toContain('has none of the allowed forms')
})
