import { describe, expect, it } from '@jest/globals'
import { withModuleSettings } from '../../../console/configs/module-settings.ts'
import { findSchema, type Schema } from '../../../console/configs/schema.ts'
import { titleOfKey } from '../../../console/configs/schema-titles.ts'

const entry = {
  type: 'object',
  properties: { enabled: { type: 'boolean' }, settings: { type: 'object', description: 'The settings of the module.' } },
}
const schema: Schema = {
  type: 'object',
  properties: { modules: { type: 'object', patternProperties: { '^.*$': entry } }, budget: { type: 'object' } },
}
const price = { type: 'integer', default: 5 }

describe('the schema of modules.yaml with the settings of modules', () => {
  const full = withModuleSettings(schema, { shop: { type: 'object', properties: { price } } })

  it('has the settings of each module, with the description of settings', () => {
    expect(findSchema(full, ['modules', 'shop', 'settings', 'price'])).toEqual(price)
    expect(findSchema(full, ['modules', 'shop', 'settings'])).toMatchObject({ description: 'The settings of the module.' })
    expect(findSchema(full, ['modules', 'shop', 'enabled'])).toEqual({ type: 'boolean' })
  })

  it('keeps entries of other modules, and the names of modules as they are', () => {
    expect(findSchema(full, ['modules', 'other'])).toEqual(entry)
    expect(titleOfKey(findSchema(full, ['modules']) ?? {}, 'shop', findSchema(full, ['modules', 'shop']) ?? {})).toBe('shop')
  })

  it('is the schema itself without modules in it', () => {
    expect(withModuleSettings({ type: 'object' }, { shop: {} })).toEqual({ type: 'object' })
  })
})
