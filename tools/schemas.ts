import { writeMade } from './generate/made-files.ts'
import { makeSchemas, schemasFolder } from './generate/schema-files.ts'

writeMade(makeSchemas(), [schemasFolder])
