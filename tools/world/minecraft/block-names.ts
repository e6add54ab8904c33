import { readFile } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { parse } from 'yaml'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { createStrictParser } from '../../../shared/kernel/schema.ts'
import { resourcePath } from '../../../shared/platform/storage/files/resource-path.ts'
import { air } from '../../../shared/rules/chunks/chunk.ts'
import type { MinecraftBlock } from './read-minecraft-column.ts'

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
type BlockTable = Static<typeof BlockTable>

const path = resourcePath('minecraft-blocks.yaml')
const parseTable = createStrictParser(BlockTable, 'table resources/minecraft-blocks.yaml')

/** The bundled table. Throws AppError `invalid` if it is broken. */
export const readBlockTable = async (): Promise<BlockTable> => parseTable(parse(await readFile(path, 'utf8')))

/** The quality of a match: `as` for an equal block, a `guess` by material, or `left-out` without a similar block. */
type Likeness = 'as' | 'guess' | 'left-out'

/** The match of a Minecraft block: an index of the registry. */
export type BlockMatch = { readonly index: number; readonly likeness: Likeness }

type Rule = { readonly match: BlockMatch; readonly exact: ReadonlySet<string>; readonly patterns: readonly RegExp[] }

const escapePlain = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, String.raw`\$&`)
const patternOf = (name: string): RegExp => new RegExp(`^${name.split('*').map(escapePlain).join('.*')}$`)

/** A hostile file may have any number of names. */
const remembered = 10_000

const ruleOf = (names: readonly string[], match: BlockMatch): Rule => ({
  match,
  exact: new Set(names.filter((name) => !name.includes('*'))),
  patterns: names.filter((name) => name.includes('*')).map(patternOf),
})

const findIn = (rules: readonly Rule[], name: string): BlockMatch | undefined =>
  (rules.find(({ exact }) => exact.has(name)) ?? rules.find(({ patterns }) => patterns.some((pattern) => pattern.test(name))))
    ?.match

const compileRules = (table: BlockTable, registry: BlockRegistry): { rules: Rule[]; nearest: Rule[]; otherwise: BlockMatch } => {
  const fallback = registry.find(table.otherwise) ?? registry.listTypes().find(({ solid, index }) => solid && index > 1)
  const otherwise: BlockMatch = { index: fallback?.index ?? air, likeness: 'guess' }
  const to = (block: string, likeness: Likeness): BlockMatch => {
    const type = registry.find(block)
    return type === undefined ? otherwise : { index: type.index, likeness }
  }
  const rules = [
    ruleOf(table.air, { index: air, likeness: 'as' }),
    ...table.blocks.map(({ block, names }) => ruleOf(names, to(block, 'as'))),
    ruleOf(table.leftOut.flat(), { index: air, likeness: 'left-out' }),
  ]
  return { rules, nearest: table.nearest.map(({ block, names }) => ruleOf(names, to(block, 'guess'))), otherwise }
}

/**
 * Returns a function that matches a Minecraft block, and looks each name up once. Where a left-out block stood in water, the
 * water stays.
 */
export const createBlockNames = (table: BlockTable, registry: BlockRegistry): ((block: MinecraftBlock) => BlockMatch) => {
  const { rules, nearest, otherwise } = compileRules(table, registry)
  const water = registry.find('water')?.index ?? air
  const found = new Map<string, BlockMatch>()
  const findMatch = (name: string): BlockMatch => {
    const known = found.get(name)
    if (known !== undefined) return known
    const match = findIn(rules, name) ?? findIn(nearest, name) ?? otherwise
    if (found.size < remembered) found.set(name, match)
    return match
  }
  return ({ name, waterlogged }) => {
    const match = findMatch(name)
    return waterlogged && match.index === air ? { ...match, index: water } : match
  }
}
