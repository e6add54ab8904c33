import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { findUnknownKeys } from '../../../../shared/domain/modules/find-unknown-keys.ts'

const Item = Type.Object({ price: Type.Integer() })

describe('unknown keys of settings', () => {
  it.each([
    ['a list', Type.Object({ items: Type.Array(Item) }), { items: [{ price: 1 }, { prise: 2 }] }, '/items/1/prise'],
    ['a map', Type.Object({ items: Type.Record(Type.String(), Item) }), { items: { 'a/b': { prise: 2 } } }, '/items/a~1b/prise'],
    ['an inner object', Type.Object({ item: Item }), { item: { prise: 2 } }, '/item/prise'],
    ['a map with a schema for other keys', { additionalProperties: Item }, { x: { prise: 1 } }, '/x/prise'],
  ])('are found in %s', (_where, schema, value, pointer) => {
    expect(findUnknownKeys(schema, value)).toEqual([{ pointer, message: 'is not a known key. Did you mean "price"?' }])
  })

  it.each([
    ['a schema that allows other keys', Type.Object({ price: Type.Integer() }, { additionalProperties: true })],
    ['an object without named keys', { type: 'object' }],
    ['alternatives', Type.Union([Item, Type.Object({ cost: Type.Integer() })])],
    ['an intersection', Type.Intersect([Item, Type.Object({ cost: Type.Integer() })])],
    ['no schema', undefined],
  ])('are not faults of %s', (_what, schema) => {
    expect(findUnknownKeys(schema, { cost: 1 })).toEqual([])
  })
})
