import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { createConfigSchema, schemaFileName } from '../../shared/domain/configs/config-schemas.ts'
import type { MadeFiles } from './made-files.ts'

/** This folder has only schemas. */
export const schemasFolder = 'resources/schemas'

/** The JSON Schema of every config file, for editors. */
export const makeSchemas = (): MadeFiles =>
  new Map(
    configNames.map((name) => [
      `${schemasFolder}/${schemaFileName(name)}`,
      `${JSON.stringify(createConfigSchema(name), null, 2)}\n`,
    ]),
  )
