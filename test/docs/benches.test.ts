import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { projectRoot } from '../support/containers/dockerfile.ts'

const bench = join(projectRoot, 'bench')
const list = readFileSync(join(bench, 'run.ts'), 'utf8')
/** The benches that `run.ts` loads: the name of each, its export, and the text of its file. */
const loaded = [...list.matchAll(/^ {2}'?([\w-]+)'?: async \(\) => \(await import\('([^']+)'\)\)\.(\w+),$/gm)].map(
  ([, name = '', path = '', value = '']) => ({ name, value, text: readFileSync(join(bench, path), 'utf8') }),
)
/** The comment directly above a declaration. */
const docOf = (text: string, declaration: RegExp): string => {
  const at = text.search(declaration)
  const end = text.lastIndexOf('*/', at)
  return text.slice(end, at).trim() === '*/' ? text.slice(text.lastIndexOf('/**', end), end).replaceAll(/\s+\*\s+/g, ' ') : ''
}

it('every bench states in one sentence what it does not measure', () => {
  const silent = loaded.filter(({ value, text }) => {
    const own = docOf(text, new RegExp(`^export const ${value}: Bench =`, 'm'))
    return !`${own} ${docOf(text, /^const run = /m)}`.includes('t cannot show')
  })
  expect(loaded.length).toBeGreaterThan(10)
  expect(silent.map(({ name }) => name)).toEqual([])
})
