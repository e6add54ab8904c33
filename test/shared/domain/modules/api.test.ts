import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { projectRoot, readImports } from '../../../support/architecture/import-graph.ts'
import { hello, shop } from './api-types.ts'

const source = 'shared/domain/modules/api.ts'

/** The declarations of a source, one a line, without comments. */
const listDeclarations = (text: string): readonly string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .split(/\n(?=\w)/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '' && !statement.startsWith('import'))

describe('module types', () => {
  it('keeps the declarations of api 1', () => {
    // Declarations of api 1 only grow: add optional members and new types here as you add them there.
    const golden = readFileSync(join(import.meta.dirname, 'api-1.txt'), 'utf8')
    expect(`${listDeclarations(readFileSync(join(projectRoot, source), 'utf8')).join('\n')}\n`).toBe(golden)
  })

  it('depends on TypeBox only', () => {
    expect(readImports(source)).toEqual([{ source, target: '@sinclair/typebox', isType: true }])
  })

  it('returns the definition', () => {
    expect(hello).toMatchObject({ name: 'hello', api: 1 })
    expect(shop).toHaveProperty('declare.messages.buy.params')
  })
})
