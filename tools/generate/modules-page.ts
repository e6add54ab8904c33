import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The first line of the generated part of the page. */
const marker = /<!-- Made by npm run generate from [^\n]*-->\n/

const unfold = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The exported declarations of a source with their comments, under the headings of its `// Values.` lines. */
const describeSource = (text: string): string => {
  const parts: string[] = []
  let comment = ''
  for (const statement of text.split(/\n(?=\S)(?![}\])])/)) {
    const heading = /^\/\/ (.+?)\.(.*)/s.exec(statement)
    const [, name] = /^export (?:type|const) (\w+)/.exec(statement) ?? []
    if (heading !== null) parts.push(`### ${heading[1]}`, ...(heading[2]?.trim() ? [heading[2].trim()] : []))
    else if (name !== undefined) {
      const code = statement.replace(/ =>\s*spec as unknown as Module<D>$/, '').trimEnd()
      parts.push(`#### ${name}`, ...(comment === '' ? [] : [unfold(comment)]), `\`\`\`ts\n${code}\n\`\`\``)
    }
    comment = statement.startsWith('/**') ? statement.trimEnd() : ''
  }
  return parts.join('\n\n')
}

/** `docs/modules.md`: its guide as it is, and the reference, made from the types. */
export const createModulesPage = (): string => {
  const page = read('docs/modules.md')
  const found = marker.exec(page)
  if (found === null) throw new Error('docs/modules.md has no line that begins the generated reference')
  const guide = page.slice(0, found.index + found[0].length)
  const [api, testing] = ['shared/domain/modules/api.ts', 'infra/module-testing/test-game.ts'].map(read).map(describeSource)
  return `${guide}\n${api}\n\n### Tests\n\n${testing}\n`
}
