import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { allRoutes } from '../../../functions/all-routes.ts'
import { findFaults } from '../../../shared/kernel/find-faults.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import { createSample } from '../../../tools/conformance/client/sample-values.ts'

const withBodies = allRoutes.flatMap(({ method, path, body }) =>
  body === undefined ? [] : [[`${method.toUpperCase()} ${path}`, body] as const],
)

const scalar = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.string(), fc.constant('x'.repeat(300)))
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 15 }),
  fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
  fc.object(),
)

/** Values with the keys of the schema, so that most faults are below the top level. */
const valuesFor = (schema: (typeof withBodies)[number][1]) => {
  const sample = createSample(schema)
  if (typeof sample !== 'object' || sample === null) return anything
  // The schema of a body with several forms has no properties of its own.
  const keys = Object.keys(schema.properties ?? sample)
  const changed = fc.record(Object.fromEntries(keys.map((key) => [key, anything])), {
    requiredKeys: [],
  })
  return fc.oneof(
    anything,
    changed.map((change) => ({ ...sample, ...change })),
  )
}

describe.each(withBodies)('faults in a body of %s', (_name, schema) => {
  const parse = createParser(schema)

  it('are reported for every refused value at its place, and for no other value', () => {
    fc.assert(
      fc.property(valuesFor(schema), (value) => {
        const faults = findFaults(schema, value)
        const misplaced = faults
          .slice(0, 20)
          .filter((fault) => typeof fault.pointer !== 'string' || typeof fault.message !== 'string')
        // One expectation for all three, because thousands of expectations would take longer than the work under test.
        const outcome = { isRefused: faults.length > 0, isListed: faults.length <= 21, misplaced }
        expect(outcome).toEqual({ isRefused: !parse(value).ok, isListed: true, misplaced: [] })
      }),
      { numRuns: 300 },
    )
  })
})

describe('duplicate items', () => {
  const schema = Type.Array(Type.String(), { uniqueItems: true })

  it('are reported for arrays of text', () => {
    expect(findFaults(schema, ['a', 'b', 'a'])).toEqual([{ pointer: '', message: expect.stringContaining('twice') }])
  })

  it('are not checked when some items are not text, which would compare each pair in depth', () => {
    let looks = 0
    const item = () => ({
      get deep() {
        looks += 1
        return 1
      },
    })
    const faults = findFaults(schema, Array.from({ length: 10 }, item))
    expect(faults.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 10 }, (_, at) => `/${at}`))
    expect(looks).toBe(0)
  })
})
