import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The text of a page in docs/. */
export const readPage = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8').replaceAll('\r\n', '\n')

const readBlock = (text: string, language: string, name: string): string => {
  const blocks = [...text.matchAll(/^```(\w+) ([\w.-]+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.filter(([, otherLanguage, other]) => otherLanguage === language && other === name)
  const [, , , content] = found[0] ?? []
  if (found.length !== 1 || content === undefined) throw new Error(`there are ${found.length} ${language} blocks named ${name}`)
  return content
}

/** The commands in the only fenced block of `text` that begins with "```sh NAME". */
export const readCommands = (text: string, name: string): string => readBlock(text, 'sh', name)

/** The script in the only fenced block of `text` that begins with "```js NAME". */
export const readScript = (text: string, name: string): string => readBlock(text, 'js', name)

/** The text below a heading, up to the next one of its level or a higher one. */
export const readSection = (text: string, heading: string): string => {
  const level = /^#+/.exec(heading)?.[0].length ?? 0
  const lines = text.split('\n')
  const from = lines.indexOf(heading)
  if (from < 0) throw new Error(`there is no heading ${heading}`)
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 0) <= level)
  return rest.slice(0, to < 0 ? undefined : to).join('\n')
}

/** The cells of each row of the tables in `text`, without headers and rulers. */
export const readRows = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = []
  let inTable = false
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) inTable = false
    else if (/^\|[-| ]+\|$/.test(line)) inTable = true
    else if (inTable)
      rows.push(
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim().replaceAll('\\|', '|')),
      )
  }
  return rows
}
