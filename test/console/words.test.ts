import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { words as wordsOfSettings } from '../../console/configs/words.ts'
import { words as wordsOfMap } from '../../console/map/words.ts'
import { words as wordsOfPages } from '../../console/words.ts'
import { words as wordsOfEditor } from '../../console/zones/editor/words.ts'

const words = { ...wordsOfPages, ...wordsOfSettings, ...wordsOfMap, ...wordsOfEditor }
const folder = 'console'

const listAddresses = (tree: object, path = 'words'): readonly { readonly word: string; readonly group: string }[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? listAddresses(value, `${path}.${name}`)
      : [{ word: `${path}.${name}`, group: `${path}[` }],
  )

it('uses every text of the catalogue, so that translators do no needless work', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('words'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const unused = listAddresses(words).filter(({ word, group }) => !sources.includes(word) && !sources.includes(group))
  expect(unused.map(({ word }) => word)).toEqual([])
})
