import { writeMade } from './generate/made-files.ts'
import { makeSchemas, schemasFolder } from './generate/schemas.ts'

writeMade(makeSchemas(), [schemasFolder])
