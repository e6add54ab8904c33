import { findEntrySchema, listProperties, type Schema } from './schema.ts'

/** The schema of `modules.yaml` with the settings of these modules. They are listed also without an entry in the file. */
export const withModuleSettings = (schema: Schema, settings: Readonly<Record<string, Schema>>): Schema => {
  const modules = listProperties(schema).find(([name]) => name === 'modules')?.[1]
  const entry = modules && findEntrySchema(modules)
  if (modules === undefined || entry === undefined) return schema
  const entryOf = (name: string, of: Schema): Schema => {
    const described = { description: entry.properties && describeSettings(entry), ...of, title: undefined }
    return { ...entry, title: name, properties: { ...Object.fromEntries(listProperties(entry)), settings: described } }
  }
  const properties = Object.fromEntries(Object.entries(settings).map(([name, of]) => [name, entryOf(name, of)]))
  return { ...schema, properties: { ...Object.fromEntries(listProperties(schema)), modules: { ...modules, properties } } }
}

const describeSettings = (entry: Schema): unknown => listProperties(entry).find(([name]) => name === 'settings')?.[1].description
