import { readFile } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { parse } from 'yaml'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { createStrictParser } from '../../../shared/kernel/schema.ts'
import { resourcePath } from '../../../shared/platform/storage/files/resource-path.ts'

const Names = Type.Array(Type.String({ minLength: 1 }))
const Rules = Type.Array(ClosedObject({ block: Type.String(), names: Names }))

/** `resources/minecraft-blocks.yaml`. Its comments explain its format. */
const BlockTable = ClosedObject({
  air: Names,
  blocks: Rules,
  leftOut: Type.Array(Type.Union([Type.String(), Names])),
  nearest: Rules,
  otherwise: Type.String(),
})
export type BlockTable = Static<typeof BlockTable>

const path = resourcePath('minecraft-blocks.yaml')
const parseTable = createStrictParser(BlockTable, 'table resources/minecraft-blocks.yaml')

/** The bundled table. Throws AppError `invalid` if it is broken. */
export const readBlockTable = async (): Promise<BlockTable> => parseTable(parse(await readFile(path, 'utf8')))
