import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { projectRoot } from '../support/containers/dockerfile.ts'

const bench = join(projectRoot, 'bench')
const list = readFileSync(join(bench, 'run.ts'), 'utf8')
/** The files from which `run.ts` imports benches, with the imported names. */
const imported = [...list.matchAll(/^import \{ ([^}]+) \} from '(\.\/[^']+\/[^']+)'$/gm)].map(([, names = '', path = '']) => ({
  names: names.split(', '),
  text: readFileSync(join(bench, path), 'utf8'),
}))
/** The comment directly above a declaration. */
const docOf = (text: string, declaration: RegExp): string => {
  const at = text.search(declaration)
  const end = text.lastIndexOf('*/', at)
  return text.slice(end, at).trim() === '*/' ? text.slice(text.lastIndexOf('/**', end), end).replaceAll(/\s+\*\s+/g, ' ') : ''
}

it('every bench states in one sentence what it does not measure', () => {
  const silent = imported.flatMap(({ names, text }) =>
    names.filter((name) => {
      const own = docOf(text, new RegExp(`^export const ${name}: Bench =`, 'm'))
      return !`${own} ${docOf(text, /^const run = /m)}`.includes('t cannot show')
    }),
  )
  expect(imported.length).toBeGreaterThan(10)
  expect(silent).toEqual([])
})
