import { describe, expect, it } from '@jest/globals'
import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { listStale } from '../../tools/generate/made-files.ts'
import { makeSchemas, schemasFolder } from '../../tools/generate/schema-files.ts'

describe('the schemas in resources/schemas', () => {
  it('match the types, one per config: else run npm run schemas', () => {
    expect(listStale(makeSchemas(), [schemasFolder])).toEqual([])
    expect(makeSchemas().size).toBe(configNames.length)
  })

  it('are named when one is missing, different or left over', () => {
    const made = new Map(makeSchemas())
    made.set(`${schemasFolder}/missing.schema.json`, '{}\n')
    made.set(`${schemasFolder}/groups.schema.json`, '{}\n')
    made.delete(`${schemasFolder}/server.schema.json`)
    expect(listStale(made, [schemasFolder])).toEqual(
      ['groups', 'missing', 'server'].map((name) => `${schemasFolder}/${name}.schema.json`),
    )
  })
})
